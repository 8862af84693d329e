/** Reads pictures that the program writes, to look at their colours. */
import { inflateSync } from "node:zlib";

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue, 0 to 255 each. */
  at(x: number, y: number): readonly [number, number, number];
}

const signature = "89504e470d0a1a0a";

/**
 * The pixels of a PNG of 8 bits a channel, RGB or RGBA, not interlaced, as Electron writes them (PNG, third edition, 2025:
 * chunks in 5, filters in 9). Throws for any other.
 */
export function readPng(file: Buffer): Pixels {
  if (file.subarray(0, 8).toString("hex") !== signature) throw new Error("this is no PNG");
  const chunks = [...chunksOf(file)];
  const header = chunks.find(({ type }) => type === "IHDR")?.data;
  if (header === undefined) throw new Error("the PNG has no header");
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, colours, , , interlaced] = header.subarray(8);
  const channels = colours === 6 ? 4 : 3;
  if (depth !== 8 || (colours !== 2 && colours !== 6) || interlaced !== 0)
    throw new Error(`a PNG of ${depth} bits, colour type ${colours}, interlace ${interlaced} is not read here`);
  const packed = Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data));
  const bytes = unfilter(inflateSync(packed), height, width * channels, channels);
  const byte = (index: number): number => bytes[index] ?? 0;
  return {
    width,
    height,
    at: (x, y) => {
      const start = (y * width + x) * channels;
      return [byte(start), byte(start + 1), byte(start + 2)];
    },
  };
}

/** Length, type, data and checksum, one chunk after the other. */
function* chunksOf(file: Buffer): Generator<{ readonly type: string; readonly data: Buffer }> {
  for (let start = 8; start + 12 <= file.length;) {
    const length = file.readUInt32BE(start);
    yield {
      type: file.toString("latin1", start + 4, start + 8),
      data: file.subarray(start + 8, start + 8 + length),
    };
    start += 12 + length;
  }
}

/** Rows without the byte that names the filter of each, and with what it took away added again. */
function unfilter(filtered: Buffer, rows: number, stride: number, step: number): Buffer {
  const plain = Buffer.alloc(rows * stride);
  for (let row = 0; row < rows; row += 1) {
    const filter = filtered[row * (stride + 1)] ?? 0;
    for (let column = 0; column < stride; column += 1) {
      const place = row * stride + column;
      const left = column < step ? 0 : (plain[place - step] ?? 0);
      const above = row === 0 ? 0 : (plain[place - stride] ?? 0);
      const corner = row === 0 || column < step ? 0 : (plain[place - stride - step] ?? 0);
      const kept = filtered[row * (stride + 1) + 1 + column] ?? 0;
      plain[place] = kept + predicted(filter, left, above, corner);
    }
  }
  return plain;
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4:
      return paeth(left, above, corner);
    default:
      throw new Error(`there is no filter ${filter}`);
  }
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
