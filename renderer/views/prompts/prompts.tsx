import { type SyntheticEvent, useId, useState } from "react";
import type { PromptEvent } from "../../../shared/contract/events.ts";
import { visibleText } from "../../../shared/base/text.ts";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { Modal } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { Icon } from "../../parts/icons.tsx";
import { usePrompts } from "../../state/prompt-store.ts";
import "./prompts.css";

type Kind<K extends PromptEvent["kind"]> = Extract<PromptEvent, { kind: K }>;

function HostKey({ prompt }: { readonly prompt: Kind<"host-key"> }) {
  const answer = usePrompts((state) => state.answer);
  const decide = (decision: "no" | "once" | "always"): void =>
    void answer(prompt.promptId, { kind: "host-key", decision });
  const text = `${prompt.keyType} ${prompt.fingerprint}`;
  return (
    <Modal
      title={`Is this ${prompt.host}?`}
      icon={<Icon name="key" size={18} />}
      width={500}
      initialFocus="[data-safe] button"
      onClose={() => decide("no")}
      footer={
        <>
          <span className="prompts-copy">
            <CopyButton text={text} />
          </span>
          <span data-safe>
            <Button kind="plain" onClick={() => decide("no")}>
              Do not connect
            </Button>
          </span>
          <Button kind="plain" onClick={() => decide("once")}>
            Once
          </Button>
          <Button kind="primary" onClick={() => decide("always")}>
            Trust and remember
          </Button>
        </>
      }
    >
      <div className="prompts-body">
        <p>Ibex has not seen this host before. Compare the fingerprint with the one from its administrator.</p>
        <div className="prompts-fingerprint">
          <span>{prompt.keyType}</span> {prompt.fingerprint}
        </div>
        <p className="prompts-note">
          {prompt.host}, port {prompt.port}. Remembered in Ibex&apos;s own list; known_hosts stays as it is.
        </p>
      </div>
    </Modal>
  );
}

/** A title, sentences and fields for secrets. Nothing of it is kept by the window. */
function Secrets({
  title,
  sentence,
  note,
  fields,
  button,
  onAnswer,
}: {
  readonly title: string;
  readonly sentence: string;
  readonly note: string;
  readonly fields: readonly { readonly text: string; readonly echo: boolean }[];
  readonly button: string;
  /** null: no answer, the log-in is given up. */
  readonly onAnswer: (values: readonly string[] | null) => void;
}) {
  const [values, setValues] = useState<readonly string[]>(() => fields.map(() => ""));
  const formId = useId();
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    onAnswer(values);
  };
  return (
    <Modal
      title={title}
      icon={<Icon name="lock" size={18} />}
      width={440}
      initialFocus="input"
      onClose={() => onAnswer(null)}
      footer={
        <>
          <Button kind="plain" onClick={() => onAnswer(null)}>
            Cancel
          </Button>
          <Button kind="primary" onClick={() => onAnswer(values)}>
            {button}
          </Button>
        </>
      }
    >
      <form id={formId} className="prompts-body" onSubmit={submit}>
        {sentence === "" ? null : <p className="prompts-sentence">{sentence}</p>}
        {fields.map((field, index) => (
          <TextField
            key={`${index} ${field.text}`}
            label={field.text}
            type={field.echo ? "text" : "password"}
            value={values[index] ?? ""}
            autoComplete="off"
            maxLength={4096}
            onChange={(value) => setValues((before) => before.map((old, i) => (i === index ? value : old)))}
          />
        ))}
        <p className="prompts-note">{note}</p>
        <button type="submit" className="visually-hidden" tabIndex={-1}>
          {button}
        </button>
      </form>
    </Modal>
  );
}

const notKept = "It is used for this connection and not kept.";

function Prompt({ prompt }: { readonly prompt: PromptEvent }) {
  const answer = usePrompts((state) => state.answer);
  const one = (values: readonly string[] | null): void =>
    void answer(prompt.promptId, { kind: "secret", value: values === null ? null : (values[0] ?? "") });
  switch (prompt.kind) {
    case "host-key":
      return <HostKey prompt={prompt} />;
    case "password":
      return (
        <Secrets
          title={`Password of ${prompt.user} on ${prompt.host}`}
          sentence={prompt.retry ? "That password was not accepted." : ""}
          note={notKept}
          fields={[{ text: "Password", echo: false }]}
          button="Log in"
          onAnswer={one}
        />
      );
    case "passphrase":
      return (
        <Secrets
          title="Passphrase of the key"
          sentence={`${prompt.retry ? "That passphrase does not open it. " : ""}${prompt.path}, for ${prompt.host}`}
          note={notKept}
          fields={[{ text: "Passphrase", echo: false }]}
          button="Unlock"
          onAnswer={one}
        />
      );
    case "keyboard-interactive":
      return (
        <Secrets
          title={prompt.name.trim() === "" ? `${prompt.host} asks` : `${prompt.host}: ${visibleText(prompt.name)}`}
          sentence={prompt.instructions.split("\n").map(visibleText).join("\n").trim()}
          note={notKept}
          fields={prompt.prompts.map((field) => ({ text: visibleText(field.text).trim(), echo: field.echo }))}
          button="Answer"
          onAnswer={(values) =>
            void answer(prompt.promptId, { kind: "secrets", values: values === null ? null : [...values] })
          }
        />
      );
  }
}

/** Questions of a connection, one at a time, the oldest first. */
export function Prompts() {
  const [first] = usePrompts((state) => state.prompts);
  return first === undefined ? null : <Prompt key={first.promptId} prompt={first} />;
}
