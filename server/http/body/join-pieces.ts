/**
 * Joins the chunks of a body as they come. If the chunks were kept until the end, a body that is sent a byte at a time
 * would take two hundred times its length. It would keep alive the whole network segment of each byte.
 */
export function joinPieces(): {
  add: (piece: Buffer) => void
  size: () => number
  drop: () => void
  joined: () => Buffer
} {
  let joined = Buffer.alloc(0)
  let size = 0
  return {
    add: (piece) => {
      if (size + piece.length > joined.length) {
        const larger = Buffer.allocUnsafe(Math.max(size + piece.length, joined.length * 2))
        joined.copy(larger, 0, 0, size)
        joined = larger
      }
      piece.copy(joined, size)
      size += piece.length
    },
    size: () => size,
    drop: () => {
      joined = Buffer.alloc(0)
      size = 0
    },
    joined: () => joined.subarray(0, size),
  }
}
