/** Length of the pieces in an index of texts: three letters in a row. */
const KNOWN = 3
/** Limit of pieces that are considered, enough for a long address. Pieces beyond it are not looked up. */
const MOST_ASKED = 24
/** Limit of pieces that are looked up: a further one costs more than it excludes. */
const MOST = 4
/** Checking a lead that does not have the text costs as much as reading this many entries of the index. */
const LOOK = 700
/** If fewer texts of the sample than this have a piece, nothing is known of its overlap with others. */
const FEW = 4

/** The pieces of a search that are looked up in the index of texts. */
export interface ChosenPieces {
  /** each of three letters, in the search's spelling */
  pieces: string[]
  /** the estimated part of all texts that contain all of them: 0 to 1, rather too high */
  part: number
}

/** Lists each three letters in a row of a search, in lower case. */
export function listTrigrams(search: string): string[] {
  const runs = search.match(/[\p{L}\p{N}]{3,}/gu) ?? []
  const found = runs.flatMap((run) => {
    const letters = Array.from(run.toLowerCase())
    return letters.slice(KNOWN - 1).map((_, from) => letters.slice(from, from + KNOWN).join(''))
  })
  return [...new Set(found)].slice(0, MOST_ASKED)
}

/**
 * Chooses the pieces of a search that together exclude most texts for the fewest index entries read. A common ending,
 * as in many names or all addresses, would find thousands of other texts. Pieces that often occur together exclude
 * little.
 * @param marks for each of {@link listTrigrams}, a text with `1` for each text of a sample that contains it, and
 * otherwise `0`
 */
export function choosePieces(search: string, marks: ReadonlyMap<string, string>): ChosenPieces {
  const known = listPieces(search, marks)
  const chosen: Piece[] = []
  let part = 1
  while (chosen.length < MOST) {
    const [best] = known
      .filter((piece) => !chosen.includes(piece))
      .map((piece) => {
        const left = Math.max(piece.part, ...chosen.map((other) => partGiven(piece, other)))
        return { piece, left, gain: part * (1 - left) * LOOK - piece.part }
      })
      .toSorted((a, b) => b.gain - a.gain)
    if (best === undefined || (chosen.length > 0 && best.gain <= 0)) break
    chosen.push(best.piece)
    part *= best.left
  }
  return { pieces: chosen.map(({ piece }) => piece), part }
}

interface Piece {
  piece: string
  /** number of letters before it */
  at: number
  marks: string
  count: number
  /** number of sample texts that contain it */
  part: number
}

function listPieces(search: string, marks: ReadonlyMap<string, string>): Piece[] {
  const letters = Array.from(search)
  const found = new Map<string, Piece>()
  for (const at of letters.keys()) {
    const piece = letters.slice(at, at + KNOWN).join('')
    const name = piece.toLowerCase()
    const marked = marks.get(name)
    if (marked === undefined || found.has(name)) continue
    const count = countOnes(marked)
    found.set(name, { piece, at, marks: marked, count, part: (count + 0.5) / (marked.length + 1) })
  }
  return [...found.values()]
}

/** The part of the texts with the other piece that contain this one too. */
function partGiven(piece: Piece, other: Piece): number {
  const isOverlapping = Math.abs(piece.at - other.at) < KNOWN
  if (isOverlapping && other.count < FEW) return 0.5
  const both = countOnes(piece.marks, other.marks)
  return (both + (isOverlapping ? 1 : 0.5)) / (other.count + 2)
}

/** Number of positions at which both, or the only one, have a `1`. */
function countOnes(marks: string, others = marks): number {
  let count = 0
  for (let index = 0; index < marks.length; index += 1)
    if (marks[index] === '1' && others[index] === '1') count += 1
  return count
}
