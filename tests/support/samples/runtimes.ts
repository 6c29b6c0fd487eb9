import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

interface Runtime {
  ending: string
  /** command that runs a file */
  command: string
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  /** time limit for a sample on a slow, shared core; a minute by default */
  limitMs?: number
}

/**
 * Go compiles its standard library without a cache: 25 s of processor time, so the cache is kept between
 * runs.
 */
const GO_CACHE = fileURLToPath(new URL('../../../.cache/go-build', import.meta.url))

/** Languages whose samples are run if their command is installed. */
export const RUNTIMES: Readonly<Record<string, Runtime>> = {
  sh: { ending: 'sh', command: 'sh', args: ['-eu'] },
  js: { ending: 'mjs', command: process.execPath, args: [] },
  python: { ending: 'py', command: 'python3', args: [] },
  php: { ending: 'php', command: 'php', args: [] },
  ruby: { ending: 'rb', command: 'ruby', args: [] },
  go: { ending: 'go', command: 'go', args: ['run'], env: { GOCACHE: GO_CACHE }, limitMs: 300_000 },
  java: { ending: 'java', command: 'java', args: [], limitMs: 120_000 },
}

/** `needs=python:NAME` of a sample names a module. */
const PYTHON_MODULE = 'python:'

/** True if a command can be called. */
export function isThere(command: string): boolean {
  if (command.startsWith(PYTHON_MODULE)) return hasPythonModule(command.slice(PYTHON_MODULE.length))
  if (path.isAbsolute(command)) return existsSync(command)
  const folders = (process.env['PATH'] ?? '').split(path.delimiter)
  return folders.some((folder) => existsSync(path.join(folder, command)))
}

function hasPythonModule(name: string): boolean {
  return spawnSync('python3', ['-c', `import ${name}`]).status === 0
}
