import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { endProcess, hasEnded, spawnScript, type ScriptOrder } from './spawn-script.ts'
import { waitUntil } from './wait-until.ts'

const START_LIMIT_MS = 60_000
const ANSWER_LIMIT_MS = 20_000

export interface ProcessOrder extends ScriptOrder {
  /** for messages; the script by default */
  name?: string
  /** The output that means ready; or a function that is called repeatedly with all output since the start. */
  isReady: string | ((output: string) => boolean | Promise<boolean>)
  /** its output is appended to this file */
  logFile?: string
  /** false: output after readiness is not kept in memory, for long runs */
  keepsOutput?: boolean
  /** its error output is shown on ours */
  showsErrors?: boolean
}

/** A program of ours that a fault may affect. */
export interface LabProcess {
  name: string
  pid: () => number
  /** All its output since its first start, if it is kept. */
  output: () => string
  isRunning: () => boolean
  /** Sends SIGKILL. */
  kill: () => Promise<void>
  /** Sends SIGTERM, and returns the exit status. */
  stop: () => Promise<number | null>
  /** Resolves when it has ended, for any reason. */
  ended: () => Promise<void>
  /** SIGSTOP: its connections stay open, and nothing in it runs. */
  freeze: () => void
  thaw: () => void
  signal: (signal: NodeJS.Signals) => void
  /** Starts it again with the same order and waits until it is ready; kills it first if it still runs. */
  restart: () => Promise<void>
  /** Sends it a message and returns its next one; one question at a time. */
  ask: (message: unknown, limitMs?: number) => Promise<unknown>
}

/** Starts a script of this repository and waits until it is ready. */
export async function startProcess(order: ProcessOrder): Promise<LabProcess> {
  const { script, name = script, isReady, logFile, keepsOutput = true, showsErrors = false } = order
  const asksReady = typeof isReady === 'string' ? (output: string) => output.includes(isReady) : isReady
  let output = ''
  let isUp = false
  const keep = (chunk: Buffer): void => {
    if (logFile !== undefined) appendFileSync(logFile, chunk)
    if (keepsOutput || !isUp) output += chunk.toString('utf8')
  }

  const start = async (): Promise<ChildProcess> => {
    if (!keepsOutput) output = ''
    isUp = false
    const begin = output.length
    const started = spawnScript(order)
    started.stdout?.on('data', keep)
    started.stderr?.on('data', keep)
    if (showsErrors) started.stderr?.on('data', (chunk: Buffer) => process.stderr.write(chunk))
    const isReadyOrEnded = async () => hasEnded(started) || (await asksReady(output.slice(begin)))
    try {
      await waitUntil(isReadyOrEnded, { timeoutMs: START_LIMIT_MS, what: `${name} being ready` })
      if (hasEnded(started)) throw new Error(`It ended with ${started.exitCode ?? started.signalCode}`)
    } catch (cause) {
      await endProcess(started, 'SIGKILL')
      throw new Error(`${name} did not start: ${wordsOf(cause)}\n${output.slice(begin).slice(-4_000)}`, {
        cause,
      })
    }
    isUp = true
    return started
  }

  let child = await start()
  return {
    name,
    pid: () => child.pid ?? 0,
    output: () => output,
    isRunning: () => !hasEnded(child),
    kill: async () => void (await endProcess(child, 'SIGKILL')),
    stop: () => endProcess(child),
    ended: async () => {
      if (!hasEnded(child)) await once(child, 'exit')
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    signal: (signal) => void child.kill(signal),
    restart: async () => {
      await endProcess(child, 'SIGKILL')
      child = await start()
    },
    ask: (message, limitMs = ANSWER_LIMIT_MS) => askProcess(child, name, message, limitMs),
  }
}

async function askProcess(
  child: ChildProcess,
  name: string,
  message: unknown,
  limitMs: number,
): Promise<unknown> {
  const done = new AbortController()
  const signal = AbortSignal.any([done.signal, AbortSignal.timeout(limitMs)])
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error('It ended')
  })
  const answered = once(child, 'message', { signal })
  child.send(message as object)
  try {
    const [answer] = (await Promise.race([answered, ended])) as unknown[]
    return answer
  } catch (cause) {
    throw new Error(`${name} did not answer: ${wordsOf(cause)}`, { cause })
  } finally {
    done.abort()
  }
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
