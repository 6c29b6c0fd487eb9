import type { Fault, Page } from './page.ts'

const MAX_CHARACTERS = 200

/** A line of the changelog says one thing that a user notices, and is short enough to read at a glance. */
export function checkChangelog({ file, lines }: Page): Fault[] {
  if (file !== 'CHANGELOG.md') return []
  return lines.flatMap((text, index) => {
    const reason = `${text.length} characters: a line of the changelog has at most ${MAX_CHARACTERS}`
    return text.length > MAX_CHARACTERS ? [{ file, line: index + 1, reason }] : []
  })
}
