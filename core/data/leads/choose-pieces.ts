/** So many letters of a search are looked up at most: more of them cost more than they exclude. Digits are all alike in how often they occur. */
const PIECE = 8
const PIECE_OF_DIGITS = 6
/** Of a number of so many digits two pieces of four are looked up instead: what stands in the middle of phones is alike in many. */
const LONG_NUMBER = /^\d{8,}$/
const HALF_OF_NUMBER = 4
/** What more texts than these hold excludes little. */
const COMMON = 1 / 4
/** What an index of texts knows: three letters in a row. */
const KNOWN = 3
/** So many of them are asked about: those of a long address. What lies beyond is taken for common. */
const MOST_KNOWN = 24

/** The words and numbers of a search, as the index of texts knows them. */
function splitRuns(search: string): string[] {
  return search.match(/[\p{L}\p{N}]{3,}/gu) ?? []
}

/** Each three letters in a row of a search. */
export function listTrigrams(search: string): string[] {
  const found = splitRuns(search).flatMap((run) => cut(run.toLowerCase(), KNOWN))
  return [...new Set(found)].slice(0, MOST_KNOWN)
}

/**
 * The one or two pieces of a search that fewest texts hold: an index that is asked for a common ending, as of many names or of all
 * addresses, finds thousands of others. Two exclude more than a longer one, whose letters often stand together.
 * @param often in how many of `sample` texts each of {@link listTrigrams} occurs
 */
export function choosePieces(search: string, often: ReadonlyMap<string, number>, sample: number): string[] {
  const count = (trigram: string): number => often.get(trigram.toLowerCase()) ?? sample
  const part = (trigram: string): number => (count(trigram) + 0.5) / (sample + 1)
  const weigh = (piece: string): Piece => ({
    piece,
    part: cut(piece, KNOWN).reduce((product, trigram) => product * part(trigram), 1),
  })
  const rarest = splitRuns(search).flatMap((run) => {
    if (LONG_NUMBER.test(run)) return findRarestPair(cut(run, HALF_OF_NUMBER).map(weigh))
    return findRarest(cut(run, /^\d+$/.test(run) ? PIECE_OF_DIGITS : PIECE).map(weigh))
  })
  const [first, second] = rarest.toSorted((a, b) => a.part - b.part)
  if (first === undefined) return []
  const isCommon = cut(first.piece, KNOWN).every((trigram) => count(trigram) > 0)
  const isBesideWorth = second !== undefined && (isCommon || second.part < COMMON)
  return isBesideWorth ? [first.piece, second.piece] : [first.piece]
}

interface Piece {
  piece: string
  /** of so many texts, were its letters independent of each other */
  part: number
}

function findRarest(pieces: readonly Piece[]): Piece[] {
  return pieces.toSorted((a, b) => a.part - b.part).slice(0, 1)
}

/** Of a number's pieces, each one digit further on, the two that share no digit: as of its area and of its end. */
function findRarestPair(pieces: readonly Piece[]): Piece[] {
  const pairs = pieces.flatMap((one, index) =>
    pieces.slice(index + HALF_OF_NUMBER).map((other) => [one, other] as const),
  )
  const [rarest = []] = pairs.toSorted(([a, b], [c, d]) => a.part * b.part - c.part * d.part)
  return [...rarest]
}

/** Every piece of so many letters, or the whole of what is shorter. */
function cut(run: string, length: number): string[] {
  const letters = Array.from(run)
  const count = Math.max(1, letters.length - length + 1)
  return Array.from({ length: count }, (_, from) => letters.slice(from, from + length).join(''))
}
