/** Documents and folders of the repository, and sections of its documents, which outsiders cannot open. */
const INTERNAL = [
  /(?<![\w./])docs\/[\w./-]+/,
  /\b[A-Z]{4,}\.md\b/,
  /\b(?:product|contract|benchmarks|screens)\.md\b/,
  /(?<![\w./])(?:core|server|worker|web|tests|scripts|migrations)\/[\w-]+/,
  /§/,
]
const PATTERN = new RegExp(INTERNAL.map(({ source }) => source).join('|'), 'g')

/**
 * Finds parts of a public text that only the product's makers understand. A § on a line that names an RFC is
 * the RFC's.
 */
export function findInternalWords(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const isForeign = /\bRFC \d/.test(line)
    return [...line.matchAll(PATTERN)].flatMap(([word]) => (word === '§' && isForeign ? [] : [word]))
  })
}
