import type { HostAccessSettings } from "../../../shared/contract/source.ts";
import { Button } from "../../parts/button.tsx";
import { Segmented, TextField } from "../../parts/field.tsx";
import { api } from "../../state/api-context.ts";

/** What a rule makes of a host's name, as an example. Pure. */
function ruleExample(rule: string, name = "n018"): string {
  return (rule.trim() === "" ? "{name}" : rule.trim()).replaceAll("{name}", name);
}

/** How the compute hosts are found by SSH: by way of what, by which rule, from which file, as which user. */
export function HostAccessFields({
  value,
  onChange,
  sourceWord,
}: {
  readonly value: HostAccessSettings;
  readonly onChange: (value: HostAccessSettings) => void;
  /** What "the source" is called here. */
  readonly sourceWord: string;
}) {
  const choose = async (): Promise<void> => {
    const chosen = await api().call("capture.choose", { what: "map" });
    const path = chosen.ok ? chosen.value.paths[0] : undefined;
    if (path !== undefined) onChange({ ...value, mapFile: path });
  };
  return (
    <div className="host-access">
      <div>
        <div className="field-label">Reach compute hosts</div>
        <Segmented
          label="Reach compute hosts"
          value={value.via}
          onChange={(via) => onChange({ ...value, via })}
          choices={[
            { value: "source", label: `By way of ${sourceWord}` },
            { value: "direct", label: "From this machine" },
          ]}
        />
      </div>
      <div className="host-access-pair">
        <TextField
          label="SSH name of a host"
          value={value.rule}
          maxLength={200}
          placeholder="{name}"
          onChange={(rule) => onChange({ ...value, rule })}
          problem={
            value.rule.trim() !== "" && !value.rule.includes("{name}")
              ? "Without {name} every host would get the same name."
              : undefined
          }
          hint={
            <>
              {"{name}"} is the first word of the node description: n018 becomes{" "}
              <span className="mono">{ruleExample(value.rule)}</span>
            </>
          }
        />
        <TextField
          label="User on the hosts"
          value={value.user}
          maxLength={64}
          placeholder="as on the source"
          onChange={(user) => onChange({ ...value, user })}
        />
      </div>
      <TextField
        label="Map file"
        value={value.mapFile}
        maxLength={4096}
        placeholder="none"
        onChange={(mapFile) => onChange({ ...value, mapFile })}
        hint={
          <>
            Lines <span className="mono">name [user@]host[:port]</span> for hosts that the rule does not find
          </>
        }
        after={
          <Button kind="ghost" size="small" onClick={() => void choose()}>
            Choose
          </Button>
        }
      />
    </div>
  );
}
