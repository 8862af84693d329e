import { parseGuid, type Guid } from "../base/guid.ts";

/** Largest number of distinct texts kept; beyond it (hostile input) nothing more is shared, nothing breaks. */
const poolSize = 1_000_000;

/** Shares equal strings and remembers read GUIDs: fabrics repeat each of them for every port. */
export class TextPool {
  private readonly texts = new Map<string, string>();
  private readonly guids = new Map<string, Guid>();

  share(text: string): string {
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    if (this.texts.size < poolSize) this.texts.set(text, text);
    return text;
  }

  /** Reads a GUID as {@link parseGuid} does. */
  guid(text: string): Guid | undefined {
    const known = this.guids.get(text);
    if (known !== undefined) return known;
    const guid = parseGuid(text);
    if (guid !== undefined && this.guids.size < poolSize) this.guids.set(text, guid);
    return guid;
  }
}
