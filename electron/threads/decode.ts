/**
 * Raw output → text. UTF-8; a line that is not valid UTF-8 is read as Latin-1 (node name maps may hold either, and
 * each line of an output is one name or another). UTF-16 where the file begins with its byte order mark, as PowerShell's
 * `>` writes it.
 */
export function decodeOutput(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    const even = bytes.length - (bytes.length % 2);
    return new TextDecoder("utf-16le").decode(Buffer.from(bytes.subarray(0, even)).swap16());
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return decodeByLine(bytes);
  }
}

const lineFeed = 10;

function decodeByLine(bytes: Uint8Array): string {
  const strict = new TextDecoder("utf-8", { fatal: true });
  const pieces: string[] = [];
  let start = 0;
  while (start < bytes.length) {
    const feed = bytes.indexOf(lineFeed, start);
    const end = feed < 0 ? bytes.length : feed + 1;
    const line = bytes.subarray(start, end);
    try {
      pieces.push(strict.decode(line));
    } catch {
      pieces.push(Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString("latin1"));
    }
    start = end;
  }
  return pieces.join("");
}
