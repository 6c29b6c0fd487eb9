/** So many letters of a search are looked up at most: more of them cost more than they exclude. Digits are all alike in how often they occur. */
const PIECE = 8
const PIECE_OF_DIGITS = 6
/** What an index of texts knows: three letters in a row. */
const KNOWN = 3
/** So many of them are asked about. A search is longer only where somebody pastes. */
const MOST_KNOWN = 16

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
 * addresses, finds thousands of others.
 * @param often in how many of `sample` texts each of {@link listTrigrams} occurs
 */
export function choosePieces(search: string, often: ReadonlyMap<string, number>, sample: number): string[] {
  const part = (trigram: string): number => ((often.get(trigram.toLowerCase()) ?? 0) + 0.5) / (sample + 1)
  const rarest = splitRuns(search).map((run) => {
    const pieces = cut(run, /^\d+$/.test(run) ? PIECE_OF_DIGITS : PIECE).map((piece) => ({
      piece,
      part: cut(piece, KNOWN).reduce((product, trigram) => product * part(trigram), 1),
    }))
    return pieces.reduce((best, one) => (one.part < best.part ? one : best))
  })
  const [first, second] = rarest.toSorted((a, b) => a.part - b.part).map(({ piece }) => piece)
  if (first === undefined) return []
  // What holds letters that no text of the sample has needs no other beside it.
  const isCommon = cut(first, KNOWN).every((trigram) => (often.get(trigram.toLowerCase()) ?? 0) > 0)
  return isCommon && second !== undefined ? [first, second] : [first]
}

/** Every piece of so many letters, or the whole of what is shorter. */
function cut(run: string, length: number): string[] {
  const letters = Array.from(run)
  const count = Math.max(1, letters.length - length + 1)
  return Array.from({ length: count }, (_, from) => letters.slice(from, from + length).join(''))
}
