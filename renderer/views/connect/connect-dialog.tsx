import { type SyntheticEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import type { SshSource } from "../../../shared/contract/source.ts";
import { Button } from "../../parts/button.tsx";
import { Modal } from "../../parts/dialog.tsx";
import { CheckField, Segmented, TextField } from "../../parts/field.tsx";
import { useRememberedOpen } from "../../parts/folded.ts";
import { Icon } from "../../parts/icons.tsx";
import { api } from "../../state/api-context.ts";
import { useFabric } from "../../state/fabric-store.ts";
import { useSettings } from "../../state/settings-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { type ConnectForm, type FormProblems, formOf, mayConnect, sourceOf, splitHost } from "./connect-form.ts";
import { ConnectionTest } from "./connection-test.tsx";
import { HostAccessFields } from "./host-access-fields.tsx";
import { useConnectionTest } from "./use-connection-test.ts";
import "./connect-dialog.css";

const pauseBeforeTest = 600;

const signIn = [
  { value: "auto", label: "Automatic", title: "The agent, then the keys of ~/.ssh, then a password" },
  { value: "agent", label: "Agent" },
  { value: "key", label: "Key file" },
  { value: "password", label: "Password" },
] as const;

/** What decides whether and how the host is reached; the other fields do not spoil a test. */
function wayOf(source: SshSource): string {
  return JSON.stringify({ ...source, hosts: null });
}

function useConfigNames(): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    let gone = false;
    void api()
      .call("ssh.names", {})
      .then((result) => {
        if (!gone && result.ok) setNames(result.value.names);
      });
    return () => {
      gone = true;
    };
  }, []);
  return names;
}

async function forget(source: SshSource): Promise<void> {
  const recent = await api().call("recent.list", {});
  if (!recent.ok) return;
  for (const entry of recent.value) {
    if (entry.source !== null && JSON.stringify(entry.source) === JSON.stringify(source)) {
      await api().call("recent.remove", { id: entry.id });
    }
  }
  await useFabric.getState().loadRecent();
}

function Connection({
  form,
  problems,
  names,
  change,
}: {
  readonly form: ConnectForm;
  readonly problems: FormProblems;
  readonly names: readonly string[];
  readonly change: (patch: Partial<ConnectForm>) => void;
}) {
  const listId = useId();
  const chooseKey = async (): Promise<void> => {
    const chosen = await api().call("capture.choose", { what: "key" });
    const path = chosen.ok ? chosen.value.paths[0] : undefined;
    if (path !== undefined) change({ identityFile: path });
  };
  return (
    <div className="connect-part">
      <TextField
        label="Host, or a name from ~/.ssh/config"
        value={form.host}
        maxLength={255}
        list={listId}
        autoComplete="off"
        autoFocus
        problem={problems.host}
        onChange={(host) => change({ host })}
      />
      <datalist id={listId}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <div className="connect-user-port">
        <TextField
          label="User"
          value={form.user}
          maxLength={64}
          placeholder="from ~/.ssh/config, or as here"
          onChange={(user) => change({ user })}
        />
        <TextField
          label="Port"
          value={form.port}
          maxLength={5}
          inputMode="numeric"
          placeholder="22"
          problem={problems.port}
          onChange={(port) => change({ port })}
        />
      </div>
      <TextField
        label="Jump host"
        value={form.jump}
        maxLength={1024}
        placeholder="from ~/.ssh/config, or none"
        onChange={(jump) => change({ jump })}
      />
      <div>
        <div className="field-label">Sign in with</div>
        <Segmented label="Sign in with" choices={signIn} value={form.auth} onChange={(auth) => change({ auth })} />
      </div>
      {form.auth === "key" ? (
        <TextField
          label="Private key"
          value={form.identityFile}
          maxLength={4096}
          problem={problems.identityFile}
          onChange={(identityFile) => change({ identityFile })}
          after={
            <Button kind="ghost" size="small" onClick={() => void chooseKey()}>
              Choose
            </Button>
          }
        />
      ) : null}
    </div>
  );
}

function OnTheCluster({
  form,
  problems,
  change,
}: {
  readonly form: ConnectForm;
  readonly problems: FormProblems;
  readonly change: (patch: Partial<ConnectForm>) => void;
}) {
  const [open, toggle] = useRememberedOpen("connect.cluster", true);
  return (
    <div className="connect-part connect-cluster">
      <button type="button" className="connect-fold" aria-expanded={open} onClick={toggle}>
        <Icon name={open ? "chevron-down" : "chevron-right"} size={14} />
        On the cluster
      </button>
      {open ? (
        <>
          <CheckField
            label="Use sudo for the InfiniBand tools"
            note={
              <>
                Runs <span className="mono">sudo -n ibnetdiscover</span> and the like, never asks for a password
              </>
            }
            checked={form.sudo}
            onChange={(sudo) => change({ sudo })}
          />
          <div className="connect-user-port">
            <TextField
              label="HCA"
              value={form.hca}
              maxLength={64}
              placeholder="chosen by the tools"
              problem={problems.hca}
              onChange={(hca) => change({ hca })}
            />
            <TextField
              label="Its port"
              value={form.hcaPort}
              maxLength={3}
              inputMode="numeric"
              placeholder="any"
              problem={problems.hcaPort}
              onChange={(hcaPort) => change({ hcaPort })}
            />
          </div>
          <HostAccessFields
            value={form.hosts}
            sourceWord={form.host.trim() === "" ? "the host above" : splitHost(form).host}
            onChange={(hosts) => change({ hosts })}
          />
        </>
      ) : null}
    </div>
  );
}

/** Connect over SSH: the form at the left, a test of every step of the way at the right. */
export function ConnectDialog({ source: given }: { readonly source: SshSource | undefined }) {
  const close = useUi((state) => state.openDialog);
  const attempt = useFabric((state) => state.attempt);
  const defaults = useSettings((state) => state.settings.hosts);
  const [form, setForm] = useState(() => formOf(given, defaults));
  const [remember, setRemember] = useState(true);
  const [routes, setRoutes] = useState(false);
  const [tried, setTried] = useState(false);
  const names = useConfigNames();
  const { test, run, reset } = useConnectionTest();
  const made = useMemo(() => sourceOf(form), [form]);
  const source = made.ok ? made.source : undefined;
  const stale = source === undefined || test.tested === undefined || wayOf(source) !== wayOf(test.tested);
  const ready = !stale && !test.running && mayConnect(test.steps);
  const problems = !made.ok && tried ? made.problems : {};
  const formId = useId();

  const way = source === undefined ? "" : wayOf(source);
  const latest = useRef(source);
  const wholeTest = useRef("");
  useEffect(() => {
    latest.current = source;
  });
  useEffect(() => {
    if (way === "") {
      reset();
      return;
    }
    // By itself only as far as nobody is asked anything: reach the host and compare its key.
    const timer = setTimeout(() => {
      const now = latest.current;
      // A whole test of the same way, asked for meanwhile, goes on undisturbed.
      if (now !== undefined && wholeTest.current !== way) void run(now, "host-key");
    }, pauseBeforeTest);
    return () => clearTimeout(timer);
  }, [way, run, reset]);

  const change = (patch: Partial<ConnectForm>): void => setForm((before) => ({ ...before, ...patch }));
  const testAll = (from: ConnectForm = form): void => {
    setTried(true);
    const split = splitHost(from);
    setForm(split);
    const next = sourceOf(split);
    if (!next.ok) return;
    wholeTest.current = wayOf(next.source);
    void run(next.source, "all");
  };
  const dismiss = (): void => close({ kind: "none" });
  const connect = (): void => {
    if (source === undefined || !ready) return;
    dismiss();
    void attempt({ kind: "collect", source, routes }).then((opened) => {
      if (opened && !remember) void forget(source);
    });
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (ready) connect();
    else testAll();
  };
  return (
    <Modal
      title="Connect over SSH"
      width={928}
      onClose={dismiss}
      initialFocus="input"
      footer={
        <>
          <span className="connect-remember">
            <CheckField label="Remember this connection (no secrets)" checked={remember} onChange={setRemember} />
          </span>
          <Button kind="plain" onClick={dismiss}>
            Cancel
          </Button>
          <Button kind="primary" disabled={!ready} onClick={connect} title={ready ? "" : "Test the connection first"}>
            Connect and collect
          </Button>
        </>
      }
    >
      <div className="connect">
        <form id={formId} onSubmit={submit} noValidate>
          <Connection form={form} problems={problems} names={names} change={change} />
          <OnTheCluster form={form} problems={problems} change={change} />
          <div className="connect-part">
            <CheckField
              label="Collect with routes"
              note="Reads the forwarding table of every switch: about 0.1 s a switch on a large fabric, longer than all other steps together. It can also be collected later."
              checked={routes}
              onChange={setRoutes}
            />
          </div>
          <button type="submit" className="visually-hidden" tabIndex={-1}>
            {ready ? "Connect and collect" : "Test connection"}
          </button>
        </form>
        <ConnectionTest
          test={test}
          stale={stale}
          ready={ready}
          sudo={form.sudo}
          onTest={() => testAll()}
          onSudo={() => testAll({ ...form, sudo: true })}
        />
      </div>
    </Modal>
  );
}
