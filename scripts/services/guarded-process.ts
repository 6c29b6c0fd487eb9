import { spawn } from 'node:child_process'
import { openSync, closeSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

export interface GuardedProcess {
  /** Resolves when service and guard have ended, for any reason, with the manner: `SIGKILL`, `status 1`. */
  exited: Promise<string>
  hasExited: () => boolean
  /** The last lines of the service's log, for the message of a failed start. */
  lastWords: () => string
  stop: () => Promise<void>
}

export interface GuardedCommand {
  command: string
  args: string[]
  cwd: string
  /** The screen by default. */
  logFile?: string
  stopSignal: NodeJS.Signals
  owner?: { uid: number; gid: number } | undefined
  env?: Record<string, string | undefined> | undefined
}

const GUARD = fileURLToPath(new URL('./guard.ts', import.meta.url))

const alive = new Set<GuardedProcess>()

/** Stops all that still run or are starting; the youngest first. */
export async function stopAllGuarded(): Promise<void> {
  for (const guarded of [...alive].toReversed()) await guarded.stop()
}

/** Starts a service that ends with us, however we end (see guard.ts). */
export function startGuarded({ logFile, env, owner, ...order }: GuardedCommand): GuardedProcess {
  const log = logFile === undefined ? 'inherit' : openSync(logFile, 'a', 0o600)
  const guard = spawn(process.execPath, [GUARD, JSON.stringify({ ...order, ...owner })], {
    // In its own group: Ctrl-C in the terminal must reach only us, so that we stop everything in order.
    detached: true,
    stdio: ['pipe', log, log],
    env: env ?? process.env,
  })
  if (log !== 'inherit') closeSync(log)
  // The pipe breaks if the service ends first; `exited` reports that.
  guard.stdin?.on('error', () => undefined)
  let gone = false
  const exited = new Promise<string>((resolve, reject) => {
    guard.once('error', reject)
    guard.once('exit', (code, signal) => {
      gone = true
      resolve(signal ?? nameStatus(code ?? 0))
    })
  })
  const guarded: GuardedProcess = {
    exited,
    hasExited: () => gone,
    lastWords: () =>
      logFile === undefined ? '' : readFileSync(logFile, 'utf8').trim().split('\n').slice(-8).join('\n'),
    stop: async () => {
      guard.stdin?.end()
      await exited
    },
  }
  alive.add(guarded)
  void exited.finally(() => alive.delete(guarded))
  return guarded
}

function nameStatus(status: number): string {
  const signal = Object.entries(constants.signals).find(([, number]) => status === 128 + number)
  return signal?.[0] ?? `status ${status}`
}
