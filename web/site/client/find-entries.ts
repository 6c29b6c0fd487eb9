/** A part of a guide (scripts/site/write-search-index.ts). */
export interface SearchEntry {
  title: string
  heading: string
  path: string
  text: string
}

/** The parts that hold every word, those first that name it in their heading or title. */
export function findEntries(entries: readonly SearchEntry[], asked: string, most: number): SearchEntry[] {
  const words = fold(asked).split(/\s+/).filter(Boolean)
  if (words.join('').length < 2) return []
  return entries
    .map((entry) => ({ entry, weight: weigh(entry, words) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, most)
    .map(({ entry }) => entry)
}

function weigh({ title, heading, text }: SearchEntry, words: readonly string[]): number {
  const [inTitle, inHeading, inText] = [title, heading, text].map(fold)
  let weight = 0
  for (const word of words) {
    const own =
      (inHeading?.includes(word) === true ? 6 : 0) +
      // The guide itself stands for its title, its parts for what they say.
      (inTitle?.includes(word) === true ? (heading === '' ? 8 : 1) : 0) +
      (inText?.includes(word) === true ? 2 : 0)
    if (own === 0) return 0
    weight += own
  }
  return weight
}

/** In any case, and with the apostrophe of a keyboard for that of a printer. */
function fold(text: string): string {
  return text.toLowerCase().replaceAll('’', "'")
}
