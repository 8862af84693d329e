/** Bounds on everything that comes from outside; one place, so that they can be read and tested. */
export const limits = {
  /** Longest line a parser reads, in UTF-16 units; the rest of the line is dropped and said. */
  lineLength: 64 * 1024,
  /** Largest raw output that is parsed, in bytes. */
  fileBytes: 256 * 1024 * 1024,
  /** Largest port number of an InfiniBand node (8 bits; 255 means "all ports"). */
  portNumber: 254,
  /** Diagnostics kept per code; more are only counted. */
  diagnosticsPerCode: 100,
  /** Lowest and highest unicast LID. */
  unicastLidMin: 1,
  unicastLidMax: 0xbfff,
} as const;
