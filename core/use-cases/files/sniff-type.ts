/** Bytes at the beginning of a file that tell its type; `file-type` reads no more of most formats. */
const HEAD_BYTES = 16 * 1024

/**
 * Reads the type of a file from its first bytes.
 * @returns undefined if no known format begins so; all bytes, the first ones included; and how to leave them unread
 */
export async function sniffType(
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ type: string | undefined; bytes: AsyncIterable<Uint8Array>; leave: () => Promise<void> }> {
  // Only uploads need it, so a process that takes none does not load it.
  const { fileTypeFromBuffer } = await import('file-type')
  const source = bytes[Symbol.asyncIterator]()
  const head: Uint8Array[] = []
  let length = 0
  while (length < HEAD_BYTES) {
    const next = await source.next()
    if (next.done === true) break
    head.push(next.value)
    length += next.value.byteLength
  }
  const found = await fileTypeFromBuffer(Buffer.concat(head).subarray(0, HEAD_BYTES))
  return {
    type: found?.mime,
    bytes: goOn(head, source),
    leave: async () => {
      await source.return?.()
    },
  }
}

async function* goOn(
  head: readonly Uint8Array[],
  source: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* head
    for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value
  } finally {
    // The sender's stream ends too if the reader stops early.
    await source.return?.()
  }
}
