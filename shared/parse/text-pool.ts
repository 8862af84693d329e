import { parseGuid, type Guid } from "../base/guid.ts";
import { GuidTable } from "../base/guid-table.ts";
import { LineCursor } from "./line-cursor.ts";

/** Largest number of distinct texts kept; beyond it (hostile input) nothing more is shared, nothing breaks. */
const poolSize = 1_000_000;

/** Shares equal strings and numbers the GUIDs of a text: fabrics repeat each of them for every port. */
export class TextPool {
  readonly guids = new GuidTable();
  private readonly texts = new Map<string, string>();
  /** The description that was last seen with a GUID, by the GUID's number. */
  private readonly names: string[] = [];
  private readonly cursor = new LineCursor();

  share(text: string): string {
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    if (this.texts.size < poolSize) this.texts.set(text, text);
    return text;
  }

  /** Reads a GUID as {@link parseGuid} does. */
  guid(text: string): Guid | undefined {
    const number = this.guidNumber(text);
    return number < 0 ? undefined : this.guids.guidOf(number);
  }

  /** The number of the GUID that {@link parseGuid} reads in a text; -1 when the text is none. */
  guidNumber(text: string): number {
    const { cursor } = this;
    cursor.begin(text, text.startsWith("0x") ? 2 : 0, text.length);
    const digits = cursor.hex();
    if (digits > 0 && digits <= 16 && cursor.isAtEnd()) return this.guids.add(cursor.high, cursor.low);
    const guid = parseGuid(text);
    return guid === undefined ? -1 : this.guids.addGuid(guid);
  }

  /** The part of a text that describes a GUID's node. Every port repeats it, so that mostly it is the last one again. */
  nameOf(number: number, text: string, start: number, end: number): string {
    const last = this.names[number];
    if (last !== undefined && last.length === end - start && text.startsWith(last, start)) return last;
    const name = this.share(text.slice(start, end));
    this.names[number] = name;
    return name;
  }
}
