/** Hands buffers over to another thread instead of copying them: copies that nobody looks at any more are slow to be collected there. */

/** Buffers of all columns in a value of objects, arrays, maps and sets, each once. O(what the value holds). */
function buffersOf(value: unknown, into: Set<ArrayBuffer>): Set<ArrayBuffer> {
  if (typeof value !== "object" || value === null) return into;
  if (ArrayBuffer.isView(value)) {
    // An empty one may stand for many, and can be handed over only once.
    if (value.buffer instanceof ArrayBuffer && value.buffer.byteLength > 0) into.add(value.buffer);
  } else if (value instanceof Map || value instanceof Set) {
    for (const part of value.values()) buffersOf(part, into);
  } else {
    for (const part of Object.values(value)) buffersOf(part, into);
  }
  return into;
}

/** What stays with a thread that answers with parts of it. */
export class Kept {
  private readonly buffers = new Set<ArrayBuffer>();

  /** Nothing of this may be handed over. */
  keep(value: unknown): void {
    buffersOf(value, this.buffers);
  }

  /** Buffers of an answer that are its own. */
  ownOf(answer: unknown): ArrayBuffer[] {
    return [...buffersOf(answer, new Set())].filter((buffer) => !this.buffers.has(buffer));
  }
}
