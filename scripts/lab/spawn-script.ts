import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
const STOP_WITH_PARENT = new URL('../services/stop-with-parent.ts', import.meta.url).href
/** One folder for all: later processes neither strip types nor compile, which halves their start. */
export const COMPILE_CACHE = path.join(REPOSITORY, '.cache', 'compile')
/** Longer than any drain of the product. */
const STOP_LIMIT_MS = 45_000

export type Variables = Readonly<Record<string, string | undefined>>

export interface ScriptOrder {
  /** from the folder's root */
  script: string
  /** another checkout with its packages; this one by default */
  folder?: string
  args?: readonly string[]
  env?: Variables
  /** modules loaded before the script: paths or URLs */
  preloads?: readonly string[]
  /** options of Node itself, such as `--expose-gc` */
  nodeOptions?: readonly string[]
  /** its standard input; none by default */
  input?: string
}

/**
 * Runs a script of this repository, or of another checkout, on our own Node. The process ends with us,
 * however we end.
 * @param output a pipe, or an open file for all its output
 * @param detached outside the terminal's group, so that Ctrl-C reaches only us
 */
export function spawnScript(
  { script, folder = REPOSITORY, args = [], env, preloads = [], nodeOptions = [], input }: ScriptOrder,
  { output = 'pipe', detached = false }: { output?: 'pipe' | number; detached?: boolean } = {},
): ChildProcess {
  const imports = [STOP_WITH_PARENT, ...preloads].flatMap((module) => ['--import', module])
  const child = spawn(process.execPath, [...nodeOptions, ...imports, path.resolve(folder, script), ...args], {
    cwd: folder,
    detached,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? COMPILE_CACHE,
      ...env,
    },
    // The channel tells it when we have ended.
    stdio: [input === undefined ? 'ignore' : 'pipe', output, output, 'ipc'],
  })
  child.stdin?.end(input)
  return child
}

/**
 * Ends it with this signal, and with SIGKILL if that takes too long; returns its status, null after a signal.
 */
export async function endProcess(
  child: ChildProcess,
  signal: NodeJS.Signals = 'SIGTERM',
  limitMs = STOP_LIMIT_MS,
): Promise<number | null> {
  if (hasEnded(child)) return child.exitCode
  const ended = once(child, 'exit')
  child.kill(signal)
  const impatience = setTimeout(() => child.kill('SIGKILL'), limitMs)
  await ended
  clearTimeout(impatience)
  return child.exitCode
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}
