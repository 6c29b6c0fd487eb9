/** A section of a guide (scripts/site/write-search-index.ts). */
export interface SearchEntry {
  title: string
  heading: string
  path: string
  text: string
}

/**
 * Finds the sections that contain every word. Words in a heading or title count most, then their frequency.
 */
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
      // The guide itself ranks by its title, its sections by their text.
      (inTitle?.includes(word) === true ? (heading === '' ? 8 : 1) : 0) +
      weighText(inText ?? '', word)
    if (own === 0) return 0
    weight += own
  }
  return weight
}

/** A section that repeats a word is more about it than one row of a long table. */
function weighText(text: string, word: string): number {
  const times = text.split(word).length - 1
  if (times === 0) return 0
  const often = (1000 * times) / Math.max(text.length, 1000)
  return 2 + Math.min(often, 3) / 2
}

/** Ignores case, and treats a typographic apostrophe like the keyboard's. */
function fold(text: string): string {
  return text.toLowerCase().replaceAll('’', "'")
}
