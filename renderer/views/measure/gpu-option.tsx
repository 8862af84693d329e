import { useState } from "react";
import { explain } from "../../../shared/errors/explain.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import type { GpuMemory } from "../../../shared/measure/gpu.ts";
import type { MeasureOptions, MeasurePlan } from "../../../shared/measure/types.ts";
import { Button } from "../../parts/button.tsx";
import { api } from "../../state/api-context.ts";
import type { MeasureOptionsPatch } from "../../state/measure-store.ts";
import { Choice, Row } from "./option-fields.tsx";

function GpuHint({
  hosts,
  reasons,
  problem,
  asking,
  onAsk,
}: {
  readonly hosts: readonly GpuMemory[] | undefined;
  readonly reasons: readonly string[];
  readonly problem: AppError | undefined;
  readonly asking: boolean;
  readonly onAsk: () => void;
}) {
  if (asking) return "asking both hosts";
  if (problem !== undefined) return explain(problem).sentence;
  if (hosts === undefined) {
    return (
      <Button kind="ghost" size="small" onClick={onAsk}>
        Look whether both hosts have it
      </Button>
    );
  }
  if (reasons.length > 0) return `Not offered. ${reasons.join(". ")}`;
  return hosts.map(({ host, gpus }) => `${host}: ${gpus[0] ?? ""}`).join(", ");
}

/** GPUs of both hosts, asked for only when somebody wants to know: that takes two logins. */
export function GpuOption({
  plan,
  options,
  onOptions,
}: {
  readonly plan: MeasurePlan;
  readonly options: MeasureOptions;
  readonly onOptions: (options: MeasureOptionsPatch) => void;
}) {
  const [hosts, setHosts] = useState<readonly GpuMemory[] | undefined>(undefined);
  const [problem, setProblem] = useState<AppError | undefined>(undefined);
  const [asking, setAsking] = useState(false);
  const ask = async (): Promise<void> => {
    setAsking(true);
    const reply = await api().call("measure.gpus", { planId: plan.id });
    setAsking(false);
    setHosts(reply.ok ? reply.value.hosts : undefined);
    setProblem(reply.ok ? undefined : reply.error);
  };
  const both = hosts === undefined ? 0 : Math.min(...hosts.map(({ gpus }) => gpus.length));
  const numbers = [...new Set([...Array(both).keys(), ...(options.gpu === undefined ? [] : [options.gpu])])];
  const reasons = hosts?.flatMap(({ host, reason }) => (reason === "" ? [] : [`${host}: ${reason}`])) ?? [];
  return (
    <Row
      label="GPU memory"
      hint={<GpuHint hosts={hosts} reasons={reasons} problem={problem} asking={asking} onAsk={() => void ask()} />}
    >
      {(id) => (
        <Choice
          id={id}
          value={options.gpu ?? -1}
          choices={[
            { value: -1, title: "host memory" },
            ...numbers.map((number) => ({ value: number, title: `GPU ${number}` })),
          ]}
          onValue={(gpu) => onOptions({ gpu: gpu < 0 ? undefined : gpu })}
        />
      )}
    </Row>
  );
}
