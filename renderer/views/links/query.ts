/**
 * The query of a table: words separated by blanks. `key:value` filters (`kind:host`, `health:error,warning`,
 * a leading `-` negates), everything else is free text that must occur. Double quotes keep blanks together.
 */

interface QueryFilter {
  readonly key: string;
  /** Lower case; one of them must fit. */
  readonly values: readonly string[];
  readonly negated: boolean;
}

export interface Query {
  readonly filters: readonly QueryFilter[];
  /** Lower case; all of them must occur. */
  readonly terms: readonly string[];
}

/** A filter that a table knows. */
export interface QueryKey {
  readonly key: string;
  /** Few words: what it filters by. */
  readonly hint: string;
  readonly values: readonly QueryValue[];
}

export interface QueryValue {
  readonly value: string;
  /** Rows that have it; undefined when not counted. */
  readonly rows?: number;
}

/** A filter whose values are gathered when somebody completes them: that takes O(rows). */
export function queryKey(key: string, hint: string, gather: () => readonly QueryValue[]): QueryKey {
  let values: readonly QueryValue[] | undefined;
  return {
    key,
    hint,
    get values() {
      return (values ??= gather());
    },
  };
}

/** Words of a query as typed, quotes kept. */
export function splitQuery(text: string): readonly string[] {
  return text.match(/(?:"[^"]*"?|[^\s"])+/g) ?? [];
}

function unquote(text: string): string {
  return text.replaceAll('"', "").trim();
}

/** A known filter's key, the typed value, and whether it is negated; undefined for free text (`leaf-03:38` is free text). */
export function readFilter(
  word: string,
  keys: readonly QueryKey[],
): { readonly key: string; readonly value: string; readonly negated: boolean } | undefined {
  const hit = /^(-?)([a-z-]+):(.*)$/is.exec(word);
  const key = hit?.[2]?.toLowerCase();
  if (hit === null || key === undefined || !keys.some((known) => known.key === key)) return undefined;
  return { key, value: unquote(hit[3] ?? "").toLowerCase(), negated: hit[1] === "-" };
}

/** Reads a query; a filter without a value, or with the value `any`, filters nothing. */
export function parseQuery(text: string, keys: readonly QueryKey[]): Query {
  const filters: QueryFilter[] = [];
  const terms: string[] = [];
  for (const word of splitQuery(text)) {
    const filter = readFilter(word, keys);
    if (filter === undefined) {
      const term = unquote(word).toLowerCase();
      if (term !== "") terms.push(term);
      continue;
    }
    const values = filter.value.split(",").filter((value) => value !== "");
    if (values.length > 0 && !values.includes("any")) filters.push({ ...filter, values });
  }
  // "leaf-03:38 to spine-6:3" is how a link is written; the word between two ports carries nothing.
  const between = terms.filter((term, i) => !(term === "to" && terms[i - 1]?.includes(":") && terms[i + 1] !== ""));
  return { filters, terms: between };
}

/** Positions of an enumeration that a filter's values name: by their start, case ignored. */
export function namedPositions(values: readonly string[], names: readonly string[]): Uint8Array {
  const chosen = new Uint8Array(names.length);
  names.forEach((name, position) => {
    if (values.some((value) => name.toLowerCase().startsWith(value))) chosen[position] = 1;
  });
  return chosen;
}

export interface Completion {
  /** Replaces the word; ends in `:` when a value is to follow. */
  readonly word: string;
  readonly label: string;
  readonly hint: string;
}

/** What could complete the word that is being typed, best first, at most `limit`. */
export function completions(word: string, keys: readonly QueryKey[], limit = 10): readonly Completion[] {
  const sign = word.startsWith("-") ? "-" : "";
  const filter = readFilter(word, keys);
  if (filter === undefined) {
    const start = word.slice(sign.length).toLowerCase();
    if (start.includes(":")) return [];
    return keys
      .filter((key) => key.key.startsWith(start))
      .slice(0, limit)
      .map((key) => ({ word: `${sign}${key.key}:`, label: `${key.key}:`, hint: key.hint }));
  }
  const values = keys.find((key) => key.key === filter.key)?.values ?? [];
  const known = filter.value.split(",");
  const typed = known.pop() ?? "";
  const before = known.length === 0 ? "" : `${known.join(",")},`;
  const fits = (value: QueryValue, at: (text: string) => boolean): boolean =>
    at(value.value.toLowerCase()) && !known.includes(value.value.toLowerCase());
  const starting = values.filter((value) => fits(value, (text) => text.startsWith(typed)));
  const inside = values.filter((value) => fits(value, (text) => !text.startsWith(typed) && text.includes(typed)));
  return [...starting, ...inside].slice(0, limit).map((value) => {
    const written = /\s/.test(value.value) ? `"${value.value}"` : value.value;
    return {
      word: `${sign}${filter.key}:${before}${written}`,
      label: `${filter.key}:${value.value}`,
      hint: value.rows === undefined ? "" : String(value.rows),
    };
  });
}

/** The query with a filter put in the place of all others of the same key; an empty value only removes them. */
export function withFilter(text: string, key: string, value: string, keys: readonly QueryKey[]): string {
  const rest = splitQuery(text).filter((word) => readFilter(word, keys)?.key !== key);
  return [...rest, ...(value === "" ? [] : [`${key}:${value}`])].join(" ");
}
