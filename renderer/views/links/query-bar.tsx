import { type KeyboardEvent, useId, useRef, useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { completions, type QueryKey, readFilter, splitQuery } from "./query.ts";
import "./query-bar.css";

/** Words that stand as tokens, and the text after them that is being typed. */
function split(
  query: string,
  keys: readonly QueryKey[],
): { readonly tokens: readonly string[]; readonly text: string } {
  const words = [...splitQuery(query)];
  const tokens: string[] = [];
  const finished = /\s$/.test(query);
  const rest: string[] = [];
  words.forEach((word, i) => {
    const filter = readFilter(word, keys);
    const last = i === words.length - 1 && !finished;
    if (filter !== undefined && filter.value !== "" && !last) tokens.push(word);
    else rest.push(word);
  });
  return { tokens, text: `${rest.join(" ")}${finished && rest.length > 0 ? " " : ""}` };
}

/** One bar for a table's query: filters become tokens, the rest is free text. Completes keys and values as they are typed. */
export function QueryBar({
  query,
  onQuery,
  keys,
  placeholder,
  label,
}: {
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly keys: readonly QueryKey[];
  readonly placeholder: string;
  readonly label: string;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const { tokens, text } = split(query, keys);
  const before = splitQuery(text);
  const word = /\s$/.test(text) ? "" : (before[before.length - 1] ?? "");
  const offered = open ? completions(word, keys) : [];
  const set = (nextTokens: readonly string[], nextText: string): void => {
    onQuery([...nextTokens, nextText].filter((part) => part !== "").join(" "));
    setActive(-1);
  };
  const type = (next: string): void => {
    setOpen(true);
    set(tokens, next);
  };
  const take = (position: number): void => {
    const chosen = offered[position];
    if (chosen === undefined) return;
    const kept = text.slice(0, text.length - word.length);
    const more = chosen.word.endsWith(":");
    set(tokens, `${kept}${chosen.word}${more ? "" : " "}`);
    setOpen(more);
    input.current?.focus();
  };
  const removeToken = (position: number): void => {
    set(
      tokens.filter((_, i) => i !== position),
      text,
    );
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setOpen(true);
      const step = event.key === "ArrowDown" ? 1 : -1;
      const many = offered.length;
      if (many > 0) setActive((active + step + many + (active < 0 && step < 0 ? 1 : 0)) % many);
    } else if ((event.key === "Enter" || event.key === "Tab") && open && active >= 0) {
      event.preventDefault();
      take(active);
    } else if (event.key === "Tab" && open && word !== "" && offered.length > 0 && !event.shiftKey) {
      event.preventDefault();
      take(0);
    } else if (event.key === "Enter") {
      setOpen(false);
      if (text !== "" && !/\s$/.test(text)) set(tokens, `${text} `);
    } else if (event.key === "Escape" && (open || query !== "")) {
      event.stopPropagation();
      if (open && offered.length > 0 && active >= 0) setActive(-1);
      else if (open && offered.length > 0) setOpen(false);
      else onQuery("");
    } else if (event.key === "Backspace" && text === "" && tokens.length > 0) {
      event.preventDefault();
      // The last token becomes text again, so that it can be mended.
      onQuery([...tokens.slice(0, -1), tokens[tokens.length - 1] ?? ""].join(" "));
      setOpen(true);
    }
  };
  return (
    <div
      className="query-bar"
      onBlur={(event) => (event.currentTarget.contains(event.relatedTarget) ? undefined : setOpen(false))}
    >
      <Icon name="filter" size={14} />
      {tokens.map((token, i) => (
        <span className="query-token" key={`${token}-${i}`}>
          {token.replace(":", ": ")}
          <button type="button" aria-label={`Remove ${token}`} onClick={() => removeToken(i)}>
            <Icon name="close" size={12} />
          </button>
        </span>
      ))}
      <input
        ref={input}
        className="query-input"
        role="combobox"
        aria-label={label}
        aria-expanded={offered.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
        placeholder={tokens.length === 0 ? placeholder : "Add a filter"}
        spellCheck={false}
        autoComplete="off"
        data-filter
        value={text}
        onChange={(event) => type(event.target.value)}
        onFocus={() => setOpen(true)}
        onKeyDown={onKeyDown}
      />
      {query === "" ? null : (
        <button type="button" className="query-clear" aria-label="Clear the filter" onClick={() => onQuery("")}>
          <Icon name="close" size={14} />
        </button>
      )}
      {offered.length === 0 ? null : (
        <ul className="query-list" role="listbox" id={`${id}-list`} aria-label="Completions">
          {offered.map((entry, i) => (
            <li
              key={entry.word}
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === active}
              onMouseDown={(event) => {
                event.preventDefault();
                take(i);
              }}
            >
              <span>{entry.label}</span>
              <span className="query-hint">{entry.hint}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
