/** Where the bytes of files are. The key of bytes is their SHA-256 in lower-case hex, so equal bytes are stored once. */
export interface FileStore {
  /**
   * Stores bytes, durably once it returns. Nothing is left of bytes that break off, are too many or are refused by
   * `announce`. Two processes may store the same bytes at the same time.
   * @param limits.mostBytes the limit
   * @param limits.announce called when the hash is known and before the bytes are placed, so that no clean-up removes
   * them before a file has them
   * @throws FileTooLarge above the limit, FileStoreFull, or the error of the input
   */
  write: (
    bytes: AsyncIterable<Uint8Array>,
    limits: { mostBytes: number; announce?: (content: WrittenContent) => Promise<void> },
  ) => Promise<WrittenContent>
  /**
   * Reads bytes, whole or from `start` to `end`, both included.
   * @throws FileMissing, before anything is read
   */
  read: (sha256: string, range?: { start: number; end: number }) => Promise<AsyncIterable<Uint8Array>>
  /** Removes bytes; no error if there are none. */
  remove: (sha256: string) => Promise<void>
  /** Removes what writes left behind that a crash cut off before this moment. Returns how many. */
  removeUnfinished: (before: Date) => Promise<number>
}

export interface WrittenContent {
  /** lower-case hex */
  sha256: string
  /** bytes */
  size: number
}

/** The input has more bytes than the caller allows. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge'
  readonly mostBytes: number

  constructor(mostBytes: number) {
    super(`The file has more than ${mostBytes} bytes`)
    this.mostBytes = mostBytes
  }
}

/** The store has no such bytes, though a row names them. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing'

  constructor(sha256: string, cause?: unknown) {
    super(`The file store has no bytes with the hash ${sha256}`, { cause })
  }
}

/** The store has no room; trying again later may work. */
export class FileStoreFull extends Error {
  override readonly name = 'FileStoreFull'

  constructor(cause: unknown) {
    super('The file store has no room', { cause })
  }
}
