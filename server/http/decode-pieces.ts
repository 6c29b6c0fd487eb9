/** Reads UTF-8 that comes in pieces, whose ends may cut a character; a byte order mark stays. */
export async function* decodePieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  for await (const piece of bytes) yield decoder.decode(piece, { stream: true })
}
