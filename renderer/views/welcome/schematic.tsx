import type { ReactNode } from "react";

export type SchematicKind = "fat-tree-2" | "fat-tree-3" | "dragonfly";

const line = "var(--unknown-line)";
const box = "var(--t2)";

function lineOfBad(bad: "error" | "warning" | undefined): string | undefined {
  return bad === undefined ? undefined : bad === "error" ? "var(--error-line)" : "var(--warn-line)";
}

function TwoLevels({ bad }: { readonly bad: string | undefined }) {
  const parts: ReactNode[] = [];
  for (let leaf = 0; leaf < 8; leaf += 1) {
    for (let spine = 0; spine < 4; spine += 1) {
      parts.push(
        <path
          key={`${leaf}-${spine}`}
          d={`M${6 + leaf * 8.6} 30L${14 + spine * 15} 8`}
          stroke={line}
          strokeWidth=".8"
        />,
      );
    }
  }
  if (bad !== undefined) parts.push(<path key="bad" d="M31.8 30L59 8" stroke={bad} strokeWidth="1.6" />);
  for (let spine = 0; spine < 4; spine += 1) {
    parts.push(<rect key={`s${spine}`} x={10 + spine * 15} y="5" width="8" height="4" rx="1" fill={box} />);
  }
  for (let leaf = 0; leaf < 8; leaf += 1) {
    parts.push(
      <rect key={`l${leaf}`} x={3 + leaf * 8.6} y="29" width="6" height="4" rx="1" fill={box} />,
      <path key={`h${leaf}`} d={`M${3 + leaf * 8.6} 37h6`} stroke={line} strokeWidth="2" strokeDasharray="1.2 .8" />,
    );
  }
  return parts;
}

function ThreeLevels({ bad }: { readonly bad: string | undefined }) {
  const parts: ReactNode[] = [];
  for (let pod = 0; pod < 4; pod += 1) {
    const x = 4 + pod * 18;
    for (let leaf = 0; leaf < 2; leaf += 1) {
      for (let spine = 0; spine < 2; spine += 1) {
        parts.push(
          <path
            key={`${pod}-${leaf}-${spine}`}
            d={`M${x + 2.5 + leaf * 8} 32L${x + 2.5 + spine * 8} 19`}
            stroke={line}
            strokeWidth=".8"
          />,
        );
      }
      for (let core = 0; core < 3; core += 1) {
        parts.push(
          <path
            key={`${pod}-${leaf}-core${core}`}
            d={`M${x + 2.5 + leaf * 8} 19L${18 + core * 20} 7`}
            stroke={line}
            strokeWidth=".7"
          />,
        );
      }
    }
    for (let place = 0; place < 2; place += 1) {
      parts.push(
        <rect key={`${pod}s${place}`} x={x + place * 8} y="17" width="5" height="3.4" rx=".8" fill={box} />,
        <rect key={`${pod}l${place}`} x={x + place * 8} y="31" width="5" height="3.4" rx=".8" fill={box} />,
      );
    }
  }
  if (bad !== undefined) parts.push(<path key="bad" d="M24.5 19L58 7" stroke={bad} strokeWidth="1.5" />);
  for (let core = 0; core < 3; core += 1) {
    parts.push(<rect key={`c${core}`} x={14 + core * 20} y="4.6" width="8" height="4" rx="1" fill={box} />);
  }
  parts.push(<path key="hosts" d="M4 37.5h68" stroke={line} strokeWidth="2" strokeDasharray="1.2 .9" />);
  return parts;
}

function Groups({ bad }: { readonly bad: string | undefined }) {
  const groups = 6;
  const places = Array.from({ length: groups }, (_, group) => {
    const turn = (group * Math.PI) / 3 - Math.PI / 2;
    return { x: 38 + 27 * Math.cos(turn), y: 20.5 + 15.5 * Math.sin(turn) };
  });
  const parts: ReactNode[] = [];
  places.forEach((from, i) => {
    places.slice(i + 1).forEach((to, j) => {
      parts.push(<path key={`${i}-${j}`} d={`M${from.x} ${from.y}L${to.x} ${to.y}`} stroke={line} strokeWidth=".8" />);
    });
  });
  const [, from, , , to] = places;
  if (bad !== undefined && from !== undefined && to !== undefined) {
    parts.push(
      <path
        key="bad"
        d={`M${from.x} ${from.y}L${to.x} ${to.y}`}
        stroke={bad}
        strokeWidth="1.6"
        strokeDasharray="2.5 2"
      />,
    );
  }
  places.forEach((place, i) => {
    parts.push(
      <rect
        key={`g${i}`}
        x={place.x - 5}
        y={place.y - 3.6}
        width="10"
        height="7.2"
        rx="1.6"
        fill="var(--raised)"
        stroke={box}
      />,
    );
  });
  return parts;
}

/** A small sketch of a kind of fabric; decoration beside its name and counts. */
export function Schematic({
  kind,
  bad,
}: {
  readonly kind: SchematicKind;
  readonly bad: "error" | "warning" | undefined;
}) {
  const colour = lineOfBad(bad);
  return (
    <svg width="76" height="41" viewBox="0 0 76 41" fill="none" aria-hidden="true">
      {kind === "fat-tree-2" ? (
        <TwoLevels bad={colour} />
      ) : kind === "fat-tree-3" ? (
        <ThreeLevels bad={colour} />
      ) : (
        <Groups bad={colour} />
      )}
    </svg>
  );
}

/** Which sketch stands for a fabric of which only the counts are known: more than 60 switches are rarely two levels. */
export function schematicFor(switches: number, name = ""): SchematicKind {
  if (/dragonfly/i.test(name)) return "dragonfly";
  return switches > 60 ? "fat-tree-3" : "fat-tree-2";
}
