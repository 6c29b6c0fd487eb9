import { existsSync } from 'node:fs'
import path from 'node:path'

interface Runtime {
  ending: string
  /** what runs a file of it */
  command: string
  args: readonly string[]
}

/** Languages whose samples can be run where their command is there. */
export const RUNTIMES: Readonly<Record<string, Runtime>> = {
  sh: { ending: 'sh', command: 'sh', args: ['-eu'] },
  js: { ending: 'mjs', command: process.execPath, args: [] },
  python: { ending: 'py', command: 'python3', args: [] },
  php: { ending: 'php', command: 'php', args: [] },
  ruby: { ending: 'rb', command: 'ruby', args: [] },
  go: { ending: 'go', command: 'go', args: ['run'] },
  java: { ending: 'java', command: 'java', args: [] },
}

/** Whether a command can be called. */
export function isThere(command: string): boolean {
  if (path.isAbsolute(command)) return existsSync(command)
  const folders = (process.env['PATH'] ?? '').split(path.delimiter)
  return folders.some((folder) => existsSync(path.join(folder, command)))
}
