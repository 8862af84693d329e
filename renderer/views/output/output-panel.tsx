import { useEffect, useRef, useState } from "react";
import { groupDigits, visibleText } from "../../../shared/base/text.ts";
import type { FabricView, RawFileInfo } from "../../../shared/contract/views.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { Empty } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { useRowWindow } from "../../parts/use-row-window.ts";
import { useFabric } from "../../state/fabric-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { api } from "../../state/api-context.ts";
import { fileSizeText } from "../measure/words.ts";
import { pageLines } from "./pages.ts";
import { type RawText, useRawText } from "./use-raw-text.ts";
import "./output-panel.css";

const lineHeight = 18;
/** `app.copy` takes a million characters. */
const mostCopied = 1_000_000;

/** The raw outputs of the capture: the truth that everything else is read from. */
export function OutputPanel() {
  const view = useFabric((state) => state.view);
  const wanted = useUi((state) => state.rawOutput);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  // A jump from elsewhere wins over the file that was chosen before it.
  const [lastWanted, setLastWanted] = useState(wanted);
  if (wanted !== lastWanted) {
    setLastWanted(wanted);
    setChosen(undefined);
  }
  if (view === undefined) return null;
  const { files } = view.capture;
  const name = chosen ?? wanted?.file ?? files[0]?.name;
  const file = files.find((entry) => entry.name === name);
  if (files.length === 0) {
    return <Empty icon="file" title="No raw output" sentence="This capture holds no text of a tool." />;
  }
  return (
    <div className="output">
      <ul className="output-files" aria-label="Raw outputs">
        {files.map((entry) => (
          <li key={entry.name}>
            <button
              type="button"
              aria-current={entry.name === name}
              title={entry.commandLine ?? entry.name}
              onClick={() => setChosen(entry.name)}
            >
              <span>{entry.name}</span>
              <span className={entry.exitCode !== null && entry.exitCode !== 0 ? "output-bad" : undefined}>
                {entry.tool ?? "not recognised"}, {fileSizeText(entry.bytes)}
                {entry.exitCode !== null && entry.exitCode !== 0 ? `, exit ${entry.exitCode}` : ""}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {file === undefined ? (
        <Empty
          icon="file"
          title="Not in this capture"
          sentence={`${name ?? "That file"} is not among its raw outputs.`}
        />
      ) : (
        <RawFile
          key={`${view.fabricId} ${file.name}`}
          view={view}
          file={file}
          line={chosen === undefined && wanted?.file === file.name ? wanted.line : undefined}
        />
      )}
    </div>
  );
}

function RawFile({
  view,
  file,
  line,
}: {
  readonly view: FabricView;
  readonly file: RawFileInfo;
  readonly line: number | undefined;
}) {
  const text = useRawText(view.fabricId, file.name, line ?? 1);
  const { totalLines } = text;
  const whole = async (): Promise<string> => {
    const lines: string[] = [];
    let length = 0;
    for (let at = 1; at <= totalLines && length < mostCopied; at += pageLines) {
      const page = await api().call("capture.raw", {
        fabricId: view.fabricId,
        file: file.name,
        line: at,
        lines: pageLines,
      });
      if (!page.ok) break;
      lines.push(...page.value.lines);
      length += page.value.lines.reduce((sum, entry) => sum + entry.length + 1, 0);
    }
    return lines.join("\n").slice(0, mostCopied);
  };
  return (
    <div className="output-text">
      <div className="output-head">
        <span className="mono output-command" title={file.commandLine ?? undefined}>
          {file.commandLine ?? file.name}
        </span>
        <span className={file.exitCode === null || file.exitCode === 0 ? undefined : "output-bad"}>
          {file.exitCode === null ? "" : `exit ${file.exitCode}`}
        </span>
        <span>{groupDigits(totalLines)} lines</span>
        {line === undefined ? null : <CopyButton text={() => text.lineAt(line) ?? ""} label={`Copy line ${line}`} />}
        <CopyWhole whole={whole} />
      </div>
      {text.error !== undefined ? (
        <div className="output-error">
          <ErrorBox error={text.error} />
        </div>
      ) : (
        <RawLines text={text} name={file.name} line={line} />
      )}
    </div>
  );
}

function RawLines({
  text: { totalLines, lineAt, want },
  name,
  line,
}: {
  readonly text: RawText;
  readonly name: string;
  readonly line: number | undefined;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const { first, end, scrollTo } = useRowWindow(scroller, totalLines, lineHeight, 0, 0);
  useEffect(() => {
    if (first < end) want(first + 1, end);
  }, [first, end, want]);
  useEffect(() => {
    if (line !== undefined && totalLines > 0) scrollTo(line - 1, "middle");
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the way to scroll is the same for the life of the list
  }, [line, totalLines > 0]);
  const digits = String(totalLines).length;
  const numbers = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + 1 + i);
  return (
    <div ref={scroller} className="output-scroll" tabIndex={0} role="document" aria-label={`Text of ${name}`}>
      <div style={{ height: totalLines * lineHeight, position: "relative" }}>
        {numbers.map((number) => {
          const content = lineAt(number);
          return (
            <div
              key={number}
              className="output-line"
              aria-current={number === line}
              style={{ transform: `translateY(${(number - 1) * lineHeight}px)` }}
            >
              <span style={{ width: `${digits + 2}ch` }}>{number}</span>
              <code>{content === undefined ? "" : visibleText(content.replaceAll("\t", "        "))}</code>
            </div>
          );
        })}
      </div>
    </div>
  );
}

function CopyWhole({ whole }: { readonly whole: () => Promise<string> }) {
  const toast = useUi((state) => state.toast);
  const run = (): void => {
    void whole().then(async (text) => {
      const copied = await api().call("app.copy", { text });
      toast(
        copied.ok
          ? {
              kind: "done",
              text: text.length >= mostCopied ? "Copied the first million characters." : "Copied the output.",
            }
          : { kind: "error", text: "Not copied.", error: copied.error },
      );
    });
  };
  return (
    <button type="button" className="output-copy" onClick={run}>
      Copy all
    </button>
  );
}
