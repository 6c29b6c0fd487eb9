/** Documents and folders of the repository, and sections of its documents: nothing that somebody outside can open. */
const INTERNAL = [
  /(?<![\w./])docs\/[\w./-]+/,
  /\b[A-Z]{4,}\.md\b/,
  /\b(?:product|contract|benchmarks|screens)\.md\b/,
  /(?<![\w./])(?:core|server|worker|web|tests|scripts|migrations)\/[\w-]+/,
  /§/,
]
const PATTERN = new RegExp(INTERNAL.map(({ source }) => source).join('|'), 'g')

/** What a text of the public says that only the makers of the product can follow. A § is somebody else's where its line names an RFC. */
export function findInternalWords(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const isForeign = /\bRFC \d/.test(line)
    return [...line.matchAll(PATTERN)].flatMap(([word]) => (word === '§' && isForeign ? [] : [word]))
  })
}
