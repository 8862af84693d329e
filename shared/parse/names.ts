/** Hints from node descriptions, for labels only. Descriptions are hostile and not unique: never key on these. */

/** `MF0;NAME:MODEL/U1` of managed Mellanox switches; directors add the board: `MF0;NAME:MCS8500/L16/U2`. */
const managedSwitch = /^MF\d+;(.*):[A-Z][A-Z0-9-]*((?:\/[A-Z]+\d+)+)$/;

/**
 * Label of a node for people: `MF0;leaf-08:MQM8700/U1` → `leaf-08`, `MF0;core:MCS8500/L16/U2` → `core/L16/U2`, any
 * other description as it is, without white space around it. Empty for an empty description.
 */
export function shortName(description: string): string {
  const text = description.trim();
  const hit = managedSwitch.exec(text);
  const name = hit?.[1]?.trim();
  const board = hit?.[2];
  if (name === undefined || name === "" || board === undefined) return text;
  return board === "/U1" ? name : `${name}${board}`;
}

/** First words that name a device and not the machine that it sits in. */
const deviceWord = /^(?:HCA-?\d*|mlx[45]_\w+|mthca\d+|ibp?\d\w*|qib\d+|hfi1_\d+|rxe\d+|MT\d{4,5})$/i;

/** Names that adapters have from the factory, before a host wrote its own into them. */
const factoryName = /Mellanox Technologies|Host Channel Adapter|^Mellanox\b|^NVIDIA\b|^ConnectX/i;

/**
 * Host name that an HCA's description tells: its first word. Undefined when there is none, when the name is the
 * factory's (`MT4129 ConnectX7   Mellanox Technologies`), or when it names the device only (`HCA-1`).
 */
export function hostNameOf(description: string): string | undefined {
  const text = description.trim();
  if (text === "" || factoryName.test(text)) return undefined;
  const word = /^\S+/.exec(text)?.[0];
  if (word === undefined || deviceWord.test(word)) return undefined;
  return word;
}
