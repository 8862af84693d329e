/**
 * Reads a line from left to right by character codes, where it stands in its text. For the lines that an output has by
 * the hundred thousand: there the strings that a regular expression cuts out for its groups cost more than all the
 * matching, and even those that are made of the lines are half of the reading.
 */
export class LineCursor {
  /** The text, of which the line ends at `end`. */
  text = "";
  at = 0;
  end = 0;
  /** Of the hexadecimal digits that {@link hex} read last: the upper and the lower 32 bits of their value, as signed numbers. */
  high = 0;
  low = 0;

  begin(text: string, at: number, end: number): void {
    this.text = text;
    this.at = at;
    this.end = end;
  }

  isAtEnd(): boolean {
    return this.at >= this.end;
  }

  /** The character code here, -1 behind the end. */
  peek(): number {
    return this.at < this.end ? this.text.charCodeAt(this.at) : -1;
  }

  /** Passes over a character; false when another one stands here. */
  take(code: number): boolean {
    if (this.at >= this.end || this.text.charCodeAt(this.at) !== code) return false;
    this.at += 1;
    return true;
  }

  /** Passes over a text; false when another one stands here. */
  takeText(wanted: string): boolean {
    const after = this.at + wanted.length;
    if (after > this.end || !this.text.startsWith(wanted, this.at)) return false;
    this.at = after;
    return true;
  }

  /** Passes over spaces and tabs. */
  skipSpace(): void {
    const { text, end } = this;
    let at = this.at;
    while (at < end && (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9)) at += 1;
    this.at = at;
  }

  /** Reads a number of 1 to `most` decimal digits; -1 when there is none, or a longer one. */
  decimal(most: number): number {
    const { text, end } = this;
    const start = this.at;
    let at = start;
    let value = 0;
    for (; at < end; at += 1) {
      const digit = text.charCodeAt(at) - 48;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
      if (at - start >= most) return -1;
    }
    this.at = at;
    return at === start ? -1 : value;
  }

  /** Reads digits 0 to 9 and a to f into `high` and `low`. Returns how many; what is before the last 16 is lost. */
  hex(): number {
    const { text, end } = this;
    let at = this.at;
    let high = 0;
    let low = 0;
    for (; at < end; at += 1) {
      const code = text.charCodeAt(at);
      let digit = code - 48;
      if (digit < 0 || digit > 9) {
        if (code < 97 || code > 102) break;
        digit = code - 87;
      }
      high = (high << 4) | (low >>> 28);
      low = (low << 4) | digit;
    }
    this.high = high;
    this.low = low;
    const digits = at - this.at;
    this.at = at;
    return digits;
  }
}
