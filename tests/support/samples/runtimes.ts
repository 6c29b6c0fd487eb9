import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

interface Runtime {
  ending: string
  /** what runs a file of it */
  command: string
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  /** for a sample, on one slow core that others use too; a minute where nothing else is said */
  limitMs?: number
}

/** Go compiles its own library where it finds it nowhere: 25 s of processor time, so it is kept from one run to the next. */
const GO_CACHE = fileURLToPath(new URL('../../../.cache/go-build', import.meta.url))

/** Languages whose samples can be run where their command is there. */
export const RUNTIMES: Readonly<Record<string, Runtime>> = {
  sh: { ending: 'sh', command: 'sh', args: ['-eu'] },
  js: { ending: 'mjs', command: process.execPath, args: [] },
  python: { ending: 'py', command: 'python3', args: [] },
  php: { ending: 'php', command: 'php', args: [] },
  ruby: { ending: 'rb', command: 'ruby', args: [] },
  go: { ending: 'go', command: 'go', args: ['run'], env: { GOCACHE: GO_CACHE }, limitMs: 300_000 },
  java: { ending: 'java', command: 'java', args: [], limitMs: 120_000 },
}

/** Whether a command can be called. */
export function isThere(command: string): boolean {
  if (path.isAbsolute(command)) return existsSync(command)
  const folders = (process.env['PATH'] ?? '').split(path.delimiter)
  return folders.some((folder) => existsSync(path.join(folder, command)))
}
