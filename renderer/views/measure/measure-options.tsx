import { defaultTools, optionsProblem, stepsOf, isBandwidthTool } from "../../../shared/measure/steps.ts";
import {
  type BandwidthTool,
  bandwidthTools,
  latencyTools,
  type MeasureOptions,
  type MeasurePlan,
  pathMtus,
} from "../../../shared/measure/types.ts";
import type { MeasureOptionsPatch } from "../../state/measure-store.ts";
import { GpuOption } from "./gpu-option.tsx";
import { Choice, NumberField, OptionalNumber, Row } from "./option-fields.tsx";
import { bytesText, toolTitles } from "./words.ts";

const sizes = [2, 64, 256, 1024, 4096, 8192, 16_384, 65_536, 262_144, 1_048_576, 4_194_304] as const;
const defaultSizeIterations = 1000;

interface OptionsProps {
  readonly options: MeasureOptions;
  readonly onOptions: (options: MeasureOptionsPatch) => void;
}

const bandwidthHints: Readonly<Record<BandwidthTool, string>> = {
  ib_write_bw: "ib_write_bw: no work for the server's CPU",
  ib_read_bw: "ib_read_bw: data from the server; 5 to 15\u00a0% below write on fast links is usual",
  ib_send_bw: "ib_send_bw: both CPUs work, as applications do",
  raw_ethernet_bw: "raw_ethernet_bw: frames without RDMA; on RoCE ports only, refused on InfiniBand",
};

/** What can be chosen beside these options: a change that would not go together with them is not offered. */
function allows(options: MeasureOptions, patch: Partial<MeasureOptions>): boolean {
  return optionsProblem({ ...options, ...patch }) === undefined;
}

function BandwidthOptions({ options, onOptions }: OptionsProps) {
  const tool = options.bandwidthTool ?? defaultTools.bandwidth;
  const { sizeIterations, bytes, bidirectional, preset } = options;
  const steps = stepsOf(options).filter((step) => isBandwidthTool((step.load ?? step).tool)).length;
  const load =
    steps === 1 ? "seconds; the middle half is measured" : `seconds each, ${steps * options.seconds} s of load in all`;
  const known = sizes.some((size) => size === bytes);
  return (
    <>
      <div className="option-group">Bandwidth</div>
      <Row label="Operation" hint={bandwidthHints[tool]}>
        {(id) => (
          <Choice
            id={id}
            value={tool}
            choices={bandwidthTools
              .filter((name) => name === tool || allows(options, { bandwidthTool: name }))
              .map((name) => ({ value: name, title: toolTitles[name] }))}
            onValue={(bandwidthTool) => onOptions({ bandwidthTool })}
          />
        )}
      </Row>
      <Row
        label="Message size"
        hint={
          sizeIterations === undefined
            ? "64 KiB fills most links; 1 MiB from 400 Gb/s"
            : "2 B to 8 MiB; the best size is judged"
        }
      >
        {(id) => (
          <Choice
            id={id}
            value={sizeIterations === undefined ? bytes : 0}
            choices={[
              ...(known ? [] : [{ value: bytes, title: bytesText(bytes) }]),
              ...sizes.map((size) => ({ value: size, title: bytesText(size) })),
              ...(allows(options, { sizeIterations: defaultSizeIterations }) ? [{ value: 0, title: "All sizes" }] : []),
            ]}
            onValue={(size) =>
              onOptions(
                size === 0 ? { sizeIterations: defaultSizeIterations } : { bytes: size, sizeIterations: undefined },
              )
            }
          />
        )}
      </Row>
      {preset === "deep" ? null : (
        <Row label="Queue pairs" hint="one is seldom enough for the full rate">
          {(id) => (
            <NumberField
              id={id}
              value={options.queuePairs}
              min={1}
              max={256}
              onValue={(queuePairs) => onOptions({ queuePairs })}
            />
          )}
        </Row>
      )}
      {sizeIterations === undefined ? (
        <Row label="Duration" hint={load}>
          {(id) => (
            <NumberField
              id={id}
              value={options.seconds}
              min={2}
              max={300}
              onValue={(seconds) => onOptions({ seconds })}
            />
          )}
        </Row>
      ) : null}
      {allows(options, { bidirectional: true }) ? (
        <Row label="Both directions" hint="at once; expected is twice the rate">
          {(id) => (
            <input
              id={id}
              className="tick"
              type="checkbox"
              checked={bidirectional}
              onChange={(event) => onOptions({ bidirectional: event.target.checked })}
            />
          )}
        </Row>
      ) : null}
    </>
  );
}

function LatencyOptions({ options, onOptions }: OptionsProps) {
  const tool = options.latencyTool ?? defaultTools.latency;
  return (
    <>
      <div className="option-group">Latency</div>
      <Row
        label="Operation"
        hint={tool === "ib_read_lat" ? "ib_read_lat: the whole round trip" : `${tool}: half the round trip`}
      >
        {(id) => (
          <Choice
            id={id}
            value={tool}
            choices={latencyTools.map((name) => ({ value: name, title: toolTitles[name] }))}
            onValue={(latencyTool) => onOptions({ latencyTool })}
          />
        )}
      </Row>
      {options.sizeIterations === undefined ? (
        <Row label="Messages" hint={"sent and answered; 10,000 for the slowest 0.1\u00a0%"}>
          {(id) => (
            <NumberField
              id={id}
              value={options.latencyIterations}
              min={5}
              max={1_000_000}
              onValue={(latencyIterations) => onOptions({ latencyIterations })}
            />
          )}
        </Row>
      ) : null}
      {options.preset === "latency" ? (
        <Row label="All sizes" hint="2 B to 8 MiB instead of 2 B only">
          {(id) => (
            <input
              id={id}
              className="tick"
              type="checkbox"
              checked={options.sizeIterations !== undefined}
              onChange={(event) =>
                onOptions({ sizeIterations: event.target.checked ? defaultSizeIterations : undefined })
              }
            />
          )}
        </Row>
      ) : null}
    </>
  );
}

/** Settings of a measurement in plain words. Only those that the kind of measurement uses are shown. */
export function MeasureOptionsForm({ plan, options, onOptions }: OptionsProps & { readonly plan: MeasurePlan }) {
  const tools = stepsOf(options).flatMap(({ tool, load }) => [tool, ...(load === undefined ? [] : [load.tool])]);
  const bandwidth = tools.some(isBandwidthTool);
  const latency = tools.some((tool) => !isBandwidthTool(tool));
  const { sizeIterations } = options;
  return (
    <div className="options">
      {bandwidth ? <BandwidthOptions options={options} onOptions={onOptions} /> : null}
      {latency ? <LatencyOptions options={options} onOptions={onOptions} /> : null}
      {sizeIterations === undefined ? null : (
        <Row label="Of each size" hint="messages; 1,000 take a few seconds at 100 Gb/s">
          {(id) => (
            <NumberField
              id={id}
              value={sizeIterations}
              min={5}
              max={20_000}
              onValue={(messages) => onOptions({ sizeIterations: messages })}
            />
          )}
        </Row>
      )}
      <div className="option-group">Way</div>
      <Row label="MTU" hint="bytes; a smaller one shows what the large costs">
        {(id) => (
          <Choice<number>
            id={id}
            value={options.mtu ?? 0}
            choices={[{ value: 0, title: "active" }, ...pathMtus.map((mtu) => ({ value: mtu, title: String(mtu) }))]}
            onValue={(chosen) => onOptions({ mtu: pathMtus.find((mtu) => mtu === chosen) })}
          />
        )}
      </Row>
      <Row label="Service level" hint="0 to 15: another lane, or without adaptive routing">
        {(id) => (
          <OptionalNumber
            id={id}
            value={options.serviceLevel}
            max={15}
            placeholder="0"
            onValue={(serviceLevel) => onOptions({ serviceLevel })}
          />
        )}
      </Row>
      <Row label="GID index" hint="RoCE only: that of the IPv4 RoCE v2 address">
        {(id) => (
          <OptionalNumber
            id={id}
            value={options.gidIndex}
            max={64}
            placeholder="none"
            onValue={(gidIndex) => onOptions({ gidIndex })}
          />
        )}
      </Row>
      {bandwidth ? <GpuOption plan={plan} options={options} onOptions={onOptions} /> : null}
    </div>
  );
}
