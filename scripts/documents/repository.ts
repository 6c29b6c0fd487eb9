import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The files of a working copy, by their paths from its root with slashes. */
export interface Repository {
  files: readonly string[]
  read: (file: string) => string
  /** whether a file or folder has this path; `*` stands for any part of a name, `**` also for any folders */
  has: (file: string) => boolean
  /** whether any file has this name, in any folder */
  hasName: (name: string) => boolean
}

/** Lists all files except those that .gitignore names, so that it works in a copy without Git too. */
export function openRepository(root: string): Repository {
  const ignored = new Set(['.git', ...readIgnored(root)])
  const files = listFiles(root, '', ignored).toSorted()
  const paths = new Set(files.flatMap(withFolders))
  const known = [...paths]
  const names = new Set(files.map((file) => path.posix.basename(file)))
  return {
    files,
    read: (file) => readFileSync(path.join(root, file), 'utf8'),
    has: (file) => {
      const wanted = file.replace(/\/$/, '')
      if (!wanted.includes('*')) return wanted === '.' || paths.has(wanted)
      const pattern = new RegExp(`^${wanted.split(/(\*+)/).map(asPattern).join('')}$`)
      return known.some((path) => pattern.test(path))
    },
    hasName: (name) => names.has(name),
  }
}

function readIgnored(root: string): string[] {
  return readFileSync(path.join(root, '.gitignore'), 'utf8')
    .split('\n')
    .map((line) => line.replace(/\/$/, ''))
    .filter((line) => line !== '' && !line.includes('*'))
}

function listFiles(root: string, folder: string, ignored: ReadonlySet<string>): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (ignored.has(entry.name)) return []
    const file = path.posix.join(folder, entry.name)
    if (entry.isDirectory()) return listFiles(root, file, ignored)
    return entry.isFile() ? [file] : []
  })
}

function asPattern(part: string): string {
  if (part === '*') return '[^/]*'
  return part === '**' ? '.*' : part.replaceAll(/[$()+.?[\\\]^{|}]/g, '\\$&')
}

/** The file and every folder that contains it. */
function withFolders(file: string): string[] {
  const folder = path.posix.dirname(file)
  return folder === '.' ? [file] : [file, ...withFolders(folder)]
}
