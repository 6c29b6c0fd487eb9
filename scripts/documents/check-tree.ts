import type { Fault, Page } from './page.ts'
import type { Repository } from './repository.ts'

/** A folder with a final slash, or a file with an ending; `<area>` and `*` stand for any name. */
const ENTRY = /^[\w.<>*-]+(\/[\w.<>*-]+)*(\/|\.\w+)$/

/** A top folder of a map, and the line that names it. */
interface Top {
  folder: string
  line: number
}

/**
 * A map of folders, fenced as ```tree: one entry on a line, two spaces deeper than its folder, then at least
 * two spaces and a description. Further entries may follow the first, with two spaces between. A line with
 * deeper indentation continues the description.
 * Every entry must exist, and every folder directly inside a top folder of the map must be an entry.
 */
export function checkTree(repository: Repository, { file, lines }: Page): Fault[] {
  const faults: Fault[] = []
  const tops: Top[] = []
  const entriesSoFar: string[] = []
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
      entriesSoFar.push(found)
      if (!repository.has(found)) faults.push({ file, line: index + 1, reason: `there is no ${found}` })
    }
    if (entries[0]?.endsWith('/') === true) folders = [...parents, entries[0]]
    if (depth === 0 && folders[0] !== undefined) tops.push({ folder: folders[0], line: index + 1 })
  }
  return [...faults, ...findUnnamed(repository, { file, tops, entries: entriesSoFar })]
}

/** Finds folders directly inside a top folder of a map that the map does not name. */
function findUnnamed(
  { files }: Repository,
  { file, tops, entries }: { file: string; tops: readonly Top[]; entries: readonly string[] },
): Fault[] {
  const inside = new Set(files.map(folderInTop).filter((folder) => folder !== undefined))
  const named = entries.map(
    (entry) => new RegExp(`^${entry.split('/', 2).join('/').replaceAll('*', '[^/]+')}$`),
  )
  return tops.flatMap(({ folder: top, line }) =>
    [...inside]
      .filter((folder) => folder.startsWith(top) && !named.some((name) => name.test(folder)))
      .map((folder) => ({ file, line, reason: `${folder}/ is not in this map` })),
  )
}

/** The first two folders of a path; undefined for a file of the root or of a top folder. */
function folderInTop(file: string): string | undefined {
  const [top, folder, ...rest] = file.split('/')
  return rest.length === 0 ? undefined : `${top}/${folder}`
}

function readEntries(text: string): string[] {
  const parts = text.trim().split(/ {2,}/)
  const words = parts.findIndex((part) => !ENTRY.test(part))
  return words === -1 ? parts : parts.slice(0, words)
}
