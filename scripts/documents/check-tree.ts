import type { Fault, Page } from './page.ts'
import type { Repository } from './repository.ts'

/** A folder with a slash at its end, or a file with an ending; `<area>` and `*` stand for any name. */
const ENTRY = /^[\w.<>*-]+(\/[\w.<>*-]+)*(\/|\.\w+)$/

/**
 * A map of folders, fenced as ```tree: one entry a line, two spaces deeper than the folder it lies in; then two spaces or more, and
 * words. Further entries may follow the first, with two spaces between. A line that is indented deeper goes on with the words above.
 */
export function checkTree(repository: Repository, { file, lines }: Page): Fault[] {
  const faults: Fault[] = []
  let folders: string[] = []
  let isTree = false
  for (const [index, text] of lines.entries()) {
    if (text.startsWith('```')) {
      isTree = text.trim() === '```tree'
      folders = []
      continue
    }
    const depth = (text.length - text.trimStart().length) / 2
    if (!isTree || text.trim() === '' || depth > folders.length) continue
    const parents = folders.slice(0, depth)
    const entries = readEntries(text)
    for (const entry of entries) {
      const found = [...parents, entry].join('').replaceAll(/<[^>]*>/g, '*')
      if (!repository.has(found)) faults.push({ file, line: index + 1, reason: `there is no ${found}` })
    }
    if (entries[0]?.endsWith('/') === true) folders = [...parents, entries[0]]
  }
  return faults
}

function readEntries(text: string): string[] {
  const parts = text.trim().split(/ {2,}/)
  const words = parts.findIndex((part) => !ENTRY.test(part))
  return words === -1 ? parts : parts.slice(0, words)
}
