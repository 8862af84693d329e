/**
 * Reads a line from left to right by character codes. For the lines that an output has by the hundred thousand: there the
 * strings that a regular expression cuts out for its groups cost more than all the matching.
 */
export class LineCursor {
  line = "";
  at = 0;
  /** Of the hexadecimal digits that {@link hex} read last: the upper and the lower 32 bits of their value, as signed numbers. */
  high = 0;
  low = 0;
  /** Where those digits begin. They end at `at`. */
  hexStart = 0;

  begin(line: string, at: number): void {
    this.line = line;
    this.at = at;
  }

  isAtEnd(): boolean {
    return this.at >= this.line.length;
  }

  /** The character code here, -1 behind the end. */
  peek(): number {
    return this.at < this.line.length ? this.line.charCodeAt(this.at) : -1;
  }

  /** Passes over a character; false when another one stands here. */
  take(code: number): boolean {
    if (this.at >= this.line.length || this.line.charCodeAt(this.at) !== code) return false;
    this.at += 1;
    return true;
  }

  /** Passes over a text; false when another one stands here. */
  takeText(text: string): boolean {
    if (!this.line.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  /** Passes over spaces and tabs. */
  skipSpace(): void {
    const { line } = this;
    let at = this.at;
    while (at < line.length && (line.charCodeAt(at) === 32 || line.charCodeAt(at) === 9)) at += 1;
    this.at = at;
  }

  /** Reads a number of 1 to `most` decimal digits; -1 when there is none, or a longer one. */
  decimal(most: number): number {
    const { line } = this;
    const start = this.at;
    let at = start;
    let value = 0;
    for (; at < line.length; at += 1) {
      const digit = line.charCodeAt(at) - 48;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
      if (at - start >= most) return -1;
    }
    this.at = at;
    return at === start ? -1 : value;
  }

  /** Reads digits 0 to 9 and a to f into `high` and `low`. Returns how many; what is before the last 16 is lost. */
  hex(): number {
    const { line } = this;
    let at = this.at;
    let high = 0;
    let low = 0;
    for (; at < line.length; at += 1) {
      const code = line.charCodeAt(at);
      let digit = code - 48;
      if (digit < 0 || digit > 9) {
        if (code < 97 || code > 102) break;
        digit = code - 87;
      }
      high = (high << 4) | (low >>> 28);
      low = (low << 4) | digit;
    }
    this.hexStart = this.at;
    this.high = high;
    this.low = low;
    const digits = at - this.at;
    this.at = at;
    return digits;
  }
}
