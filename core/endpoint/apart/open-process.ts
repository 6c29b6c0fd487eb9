import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { EXCHANGE_PROCESS } from '../../endpoint-process.ts'
import type { SendResult } from '../exchange-once.ts'
import type { ExchangeJob, ExchangerOptions } from '../exchanger.ts'
import type { AddressGuard } from '../guard-address.ts'
import type { MeasuredHandshake, Order, Report } from './messages.ts'

/** An exchange ends itself in time; a process that says nothing for so long afterwards hangs. */
const GRACE_MS = 3000
/** Enough for fifty answers and their requests; what grows past it ends that process and no other. */
const HEAP_MB = 128

/** What became of an exchange in a process of its own. */
export type ApartOutcome =
  | { kind: 'done'; result: SendResult; cpuMs: number }
  /** The process ended with it. `wasAlone`: nothing else was under way there; `isSuspect`: it may have been this one. */
  | { kind: 'ended'; wasAlone: boolean; isSuspect: boolean }
  /** It did not start. */
  | { kind: 'unstarted' }

/** A process for exchanges. */
export interface ExchangeProcess {
  /** @param host whom it is with (handshakes.ts) @param client whose webhook it is */
  exchange: (
    job: ExchangeJob,
    whose: { host: string; client: string },
    signal: AbortSignal | undefined,
  ) => Promise<ApartOutcome>
  hasEnded: () => boolean
  close: () => Promise<void>
}

interface UnderWay {
  host: string
  client: string
  settle: (outcome: ApartOutcome) => void
}

/**
 * @param on.handshake told of each handshake, and the clients who have an exchange with that host under way
 * @param on.end told once, when the process ends without being closed, and whether it ever was ready
 */
export function openProcess(
  guard: AddressGuard,
  options: ExchangerOptions,
  on: {
    handshake: (handshake: MeasuredHandshake, clients: string[]) => void
    end: (reason: string, wasReady: boolean) => void
  },
): ExchangeProcess {
  const child = fork(fileURLToPath(EXCHANGE_PROCESS), [], {
    // Ctrl-C reaches us alone: what is under way may finish.
    detached: true,
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    // It handles credentials, and says nothing that anybody should read.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const underWay = new Map<number, UnderWay>()
  const handshaking: string[] = []
  let lastId = 0
  let isReady = false
  let isClosing = false
  let isClosed = false
  const tell = (order: Order): void => {
    // A message to a process that has just ended is lost with it; its end tells everybody.
    if (child.connected) child.send(order, () => undefined)
  }

  const hear = (report: Report): void => {
    if (report.type === 'ready') isReady = true
    else if (report.type === 'handshake') handshaking.push(report.host)
    else if (report.type === 'handshaken') {
      const at = handshaking.indexOf(report.host)
      if (at !== -1) handshaking.splice(at, 1)
      const clients = [...underWay.values()].filter(({ host }) => host === report.host)
      on.handshake(
        report,
        clients.map(({ client }) => client),
      )
    } else if (report.type === 'done') underWay.get(report.id)?.settle({ kind: 'done', ...report })
    else
      guard.resolve(
        report.hostname,
        { family: report.family, hints: report.hints, all: true },
        (error, answers) => {
          tell({
            type: 'resolved',
            id: report.id,
            error: error === null ? null : { code: error.code ?? 'EAI_FAIL' },
            answers,
          })
        },
      )
  }
  const end = (reason: string): void => {
    if (isClosed) return
    isClosed = true
    const wasAlone = underWay.size === 1
    const inHandshake = [...underWay.values()].some(({ host }) => handshaking.includes(host))
    if (!isClosing) on.end(reason, isReady)
    for (const { host, settle } of underWay.values())
      settle(
        isReady
          ? { kind: 'ended', wasAlone, isSuspect: !inHandshake || handshaking.includes(host) }
          : { kind: 'unstarted' },
      )
  }
  const gone = whenGone(child)
  void gone.then(end)
  child.on('message', hear)
  tell({ type: 'open', allowedCidrs: guard.allowedCidrs, ...options })

  return {
    exchange: ({ clock, ...job }, { host, client }, signal) =>
      new Promise((resolve) => {
        lastId += 1
        const id = lastId
        const spentMs = performance.now() - clock.startedAt
        const late = setTimeout(
          () => {
            child.kill('SIGKILL')
          },
          clock.timeoutMs - spentMs + GRACE_MS,
        )
        const abort = (): void => {
          tell({ type: 'abort', id })
        }
        const settle = (outcome: ApartOutcome): void => {
          clearTimeout(late)
          signal?.removeEventListener('abort', abort)
          underWay.delete(id)
          resolve(outcome)
        }
        underWay.set(id, { host, client, settle })
        if (isClosed) {
          settle({ kind: 'unstarted' })
          return
        }
        tell({ type: 'exchange', id, job, spentMs, timeoutMs: clock.timeoutMs })
        signal?.addEventListener('abort', abort, { once: true })
        if (signal?.aborted === true) abort()
      }),
    hasEnded: () => isClosed,
    close: async () => {
      isClosing = true
      child.kill('SIGKILL')
      const reason = await gone
      end(reason)
    },
  }
}

/** Resolves with how it ended, once all that it has said is heard. */
function whenGone(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let reason: string | undefined
    const look = (): void => {
      if (reason !== undefined && !child.connected) resolve(reason)
    }
    child.once('exit', (status, signal) => {
      reason = signal ?? `status ${status ?? ''}`
      look()
    })
    child.once('disconnect', look)
    // It could not be started, or not be told something: what follows is its end, where it ever began.
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) resolve(error.code ?? 'not started')
    })
  })
}
