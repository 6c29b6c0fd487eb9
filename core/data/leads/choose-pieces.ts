/** What an index of texts knows: three letters in a row. */
const KNOWN = 3
/** So many of them are asked about: those of a long address. What lies beyond is not looked up. */
const MOST_ASKED = 24
/** So many are looked up at most: a further one costs more than it excludes. */
const MOST = 4
/** To look at a lead that does not have the text costs as much as to read so many entries of the index. */
const LOOK = 700
/** What is known of how two letters overlap where so few of the sample have one of them: nothing. */
const FEW = 4

/** What of a search is looked up in the index of texts. */
export interface ChosenPieces {
  /** each of three letters, as the search spells them */
  pieces: string[]
  /** of how many texts they are taken to be in all at once: 0 to 1, rather too many */
  part: number
}

/** Each three letters in a row of a search, in small letters. */
export function listTrigrams(search: string): string[] {
  const runs = search.match(/[\p{L}\p{N}]{3,}/gu) ?? []
  const found = runs.flatMap((run) => {
    const letters = Array.from(run.toLowerCase())
    return letters.slice(KNOWN - 1).map((_, from) => letters.slice(from, from + KNOWN).join(''))
  })
  return [...new Set(found)].slice(0, MOST_ASKED)
}

/**
 * Those three letters of a search that together fewest texts have, for the least that an index must read: of a common ending, as of many
 * names or of all addresses, it would find thousands of others. Letters that stand together in other texts as well exclude little.
 * @param marks of each of {@link listTrigrams}, for each text of a sample, `1` where it has it, else `0`
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
  /** how many letters stand before it */
  at: number
  marks: string
  count: number
  /** of so many texts */
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

/** Of how many texts that have the other this is a part as well. */
function partGiven(piece: Piece, other: Piece): number {
  const isOverlapping = Math.abs(piece.at - other.at) < KNOWN
  if (isOverlapping && other.count < FEW) return 0.5
  const both = countOnes(piece.marks, other.marks)
  return (both + (isOverlapping ? 1 : 0.5)) / (other.count + 2)
}

/** Where both, if there are two, have a `1`. */
function countOnes(marks: string, others = marks): number {
  let count = 0
  for (let index = 0; index < marks.length; index += 1)
    if (marks[index] === '1' && others[index] === '1') count += 1
  return count
}
