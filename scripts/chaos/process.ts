import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
const STOP_WITH_PARENT = fileURLToPath(new URL('../services/stop-with-parent.ts', import.meta.url))
const TELL_MEMORY = fileURLToPath(new URL('./preloads/tell-memory.ts', import.meta.url))
const START_TIMEOUT_MS = 60_000
/** A collection takes a fraction of a second; a machine may be busy. */
const TELL_TIMEOUT_MS = 20_000
const MEGABYTE = 2 ** 20

/** A program of ours that a fault may hit. */
export interface Victim {
  name: string
  pid: () => number
  isRunning: () => boolean
  /** kill -9 */
  kill: () => Promise<void>
  signal: (signal: NodeJS.Signals) => void
  /** SIGTERM; answers the exit status and how long it took */
  stop: () => Promise<{ status: number | null; tookMs: number }>
  /** starts it again and waits until it is ready */
  start: () => Promise<void>
  /** Megabytes after it has collected its garbage: held by the program, and resident. One question at a time. */
  memory: () => Promise<{ held: number; resident: number }>
}

export interface VictimOrder {
  name: string
  script: string
  env: Record<string, string>
  /** printed when it is ready */
  readyText: string
  logFile: string
  /** modules loaded before the script: a clock that is wrong, a loop that blocks */
  preloads?: readonly string[]
}

/** Starts a script of this repository as a process of its own; it ends with us. */
export async function startVictim(order: VictimOrder): Promise<Victim> {
  let child = await launch(order)
  return {
    name: order.name,
    pid: () => child.pid ?? 0,
    isRunning: () => !hasEnded(child),
    kill: async () => {
      await end(child, 'SIGKILL')
    },
    signal: (signal) => {
      child.kill(signal)
    },
    stop: async () => {
      const startedAt = performance.now()
      await end(child, 'SIGTERM')
      return { status: child.exitCode, tookMs: performance.now() - startedAt }
    },
    start: async () => {
      await end(child, 'SIGKILL')
      child = await launch(order)
    },
    memory: () => askMemory(child, order.name),
  }
}

async function launch(order: VictimOrder): Promise<ChildProcess> {
  const preloads = [STOP_WITH_PARENT, TELL_MEMORY, ...(order.preloads ?? [])].flatMap((module) => [
    '--import',
    module,
  ])
  const child = spawn(process.execPath, [...preloads, order.script], {
    cwd: REPOSITORY,
    env: { PATH: process.env['PATH'], ...order.env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  const ready = new Promise<void>((resolve, reject) => {
    const limit = setTimeout(() => {
      reject(new Error(`${order.name} was not ready in ${START_TIMEOUT_MS} ms:\n${output.slice(-2000)}`))
    }, START_TIMEOUT_MS)
    const collect = (chunk: Buffer): void => {
      appendFileSync(order.logFile, chunk)
      if (output.length < 100_000) output += chunk.toString('utf8')
      if (!output.includes(order.readyText)) return
      clearTimeout(limit)
      resolve()
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.once('exit', (code, signal) => {
      clearTimeout(limit)
      reject(new Error(`${order.name} ended with ${code ?? signal ?? '?'}:\n${output.slice(-2000)}`))
    })
  })
  try {
    await ready
    return child
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

async function askMemory(child: ChildProcess, name: string): Promise<{ held: number; resident: number }> {
  const limit = AbortSignal.timeout(TELL_TIMEOUT_MS)
  const answered = once(child, 'message', { signal: limit })
  child.send('memory')
  try {
    const [told] = (await answered) as [{ held: number; resident: number }]
    return { held: told.held / MEGABYTE, resident: told.resident / MEGABYTE }
  } catch (error) {
    throw new Error(`${name} did not tell what it holds`, { cause: error })
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}
