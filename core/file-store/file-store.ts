/** Keeps the bytes of files. The key of bytes is their SHA-256 in lower-case hex, so equal bytes are stored once. */
export interface FileStore {
  /**
   * Stores bytes, durably once it returns. Nothing is left of bytes that break off, are too many or are refused by
   * `announce`. Two processes may store the same bytes at the same time.
   * @param limits.mostBytes the limit
   * @param limits.announce called when the hash is known and before the bytes are placed, so that no clean-up removes
   * them before a file has them
   * @param limits.scans whether the operator's command scans them first (FILES_SCAN_COMMAND)
   * @throws FileTooLarge above the limit, FileStoreFull, FileStoreAway, FileInfected, FileScanFailed, or the error of the
   * input
   */
  write: (bytes: AsyncIterable<Uint8Array>, limits: WriteLimits) => Promise<WrittenContent>
  /**
   * Reads bytes, whole or from `start` to `end`, both included.
   * @throws FileMissing or FileStoreAway, before anything is read; FileStoreAway if the bytes break off
   */
  read: (sha256: string, range?: { start: number; end: number }) => Promise<AsyncIterable<Uint8Array>>
  /**
   * Removes bytes; no error if there are none.
   * @throws FileStoreAway
   */
  remove: (sha256: string) => Promise<void>
  /** Removes what writes left behind that a crash cut off before this moment. Returns how many. */
  removeUnfinished: (before: Date) => Promise<number>
}

export interface WriteLimits {
  mostBytes: number
  scans?: boolean
  announce?: (content: WrittenContent) => Promise<void>
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

/** The service with the bytes cannot be reached, or refuses; the cause is for the log. */
export class FileStoreAway extends Error {
  override readonly name = 'FileStoreAway'

  constructor(cause: unknown) {
    super('The file store does not answer as it should', { cause })
  }
}

/** The scan found something. */
export class FileInfected extends Error {
  override readonly name = 'FileInfected'

  constructor() {
    super('The scan of the file found something')
  }
}

/** The scan came to no result, so the file is refused. */
export class FileScanFailed extends Error {
  override readonly name = 'FileScanFailed'

  /** @param reason for the log; it says nothing about the file */
  constructor(reason: string) {
    super(`The scan of the file came to no result: ${reason}`)
  }
}
