/**
 * Writes the archive that Linux unpacks as its first file system: cpio in the "newc" format (cpio(5); the kernel's
 * Documentation/driver-api/early-userspace/buffer-format.rst). Everything belongs to root, whoever writes it.
 */

export interface ArchiveEntry {
  /** Without a slash in front. */
  readonly path: string;
  /** Bytes of a file, the target of a symbolic link, or undefined for a folder. */
  readonly content?: Uint8Array | { readonly link: string };
  /** Permission bits; 0755 for folders and 0644 for files when left out. */
  readonly mode?: number;
}

const folderType = 0o040000;
const fileType = 0o100000;
const linkType = 0o120000;

/** Packs entries in the given order, with the folders that they need before them. */
export function packArchive(entries: readonly ArchiveEntry[]): Buffer {
  const whole = withFolders(entries);
  const pieces = whole.flatMap((entry, index) => record(entry, index + 1));
  return Buffer.concat([...pieces, ...record({ path: "TRAILER!!!", content: new Uint8Array() }, 0)]);
}

function withFolders(entries: readonly ArchiveEntry[]): readonly ArchiveEntry[] {
  const all = new Map<string, ArchiveEntry>();
  for (const entry of entries) {
    const words = entry.path.split("/");
    for (let depth = 1; depth < words.length; depth += 1) {
      const folder = words.slice(0, depth).join("/");
      if (!all.has(folder)) all.set(folder, { path: folder });
    }
    all.set(entry.path, entry);
  }
  return [...all.values()];
}

function record(entry: ArchiveEntry, inode: number): readonly Buffer[] {
  const { path, content } = entry;
  const isFile = content instanceof Uint8Array;
  const data = content === undefined ? Buffer.alloc(0) : Buffer.from(isFile ? content : content.link);
  const type = content === undefined ? folderType : isFile ? fileType : linkType;
  const mode = type | (entry.mode ?? (isFile ? 0o644 : type === linkType ? 0o777 : 0o755));
  const name = Buffer.from(`${path}\0`);
  const links = type === folderType ? 2 : 1;
  // ino mode uid gid nlink mtime filesize devmajor devminor rdevmajor rdevminor namesize check
  const numbers = [inode, mode, 0, 0, links, 0, data.length, 0, 0, 0, 0, name.length, 0];
  const head = `070701${numbers.map((number) => number.toString(16).padStart(8, "0")).join("")}`;
  return [padded(Buffer.concat([Buffer.from(head), name])), padded(data)];
}

/** Header with name, and data, each end on a multiple of four bytes. */
function padded(bytes: Buffer): Buffer {
  const rest = bytes.length % 4;
  return rest === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(4 - rest)]);
}
