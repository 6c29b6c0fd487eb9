import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from './child-environment.ts'
import { EXCHANGE_PROCESS } from '../../endpoint-process.ts'
import type { SendResult } from '../exchange-once.ts'
import type { ExchangeJob, ExchangerOptions } from '../exchanger.ts'
import type { AddressGuard } from '../guard-address.ts'
import type { MeasuredHandshake, ToExchangeProcess, FromExchangeProcess } from './messages.ts'

/** Milliseconds after an exchange's timeout: a process that has not answered by then hangs. */
const GRACE_MS = 3000
/** Heap limit in megabytes: enough for fifty answers and their requests. A process that grows past it ends alone. */
const HEAP_MB = 128

/** The outcome of an exchange in a process of its own. */
export type IsolatedOutcome =
  | { kind: 'done'; result: SendResult; cpuMs: number }
  /**
   * The process ended with it. `wasAlone`: nothing else was under way there; `isSuspect`: this exchange may have ended
   * it.
   */
  | { kind: 'ended'; wasAlone: boolean; isSuspect: boolean }
  /** The process did not start. */
  | { kind: 'unstarted' }

/** A process for exchanges. */
export interface ExchangeProcess {
  /**
   * @param host the name of the host (../tls/handshakes.ts)
   * @param client the owner of the webhook
   */
  exchange: (
    job: ExchangeJob,
    whose: { host: string; client: string },
    signal: AbortSignal | undefined,
  ) => Promise<IsolatedOutcome>
  hasEnded: () => boolean
  close: () => Promise<void>
}

interface UnderWay {
  host: string
  client: string
  settle: (outcome: IsolatedOutcome) => void
}

/**
 * @param on.handshake told of each handshake, and the clients that have an exchange with that host under way
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
    // Ctrl-C reaches only the parent, so that exchanges under way may finish.
    detached: true,
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    env: childEnvironment(),
    // The process handles credentials, so none of its output is kept.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const underWay = new Map<number, UnderWay>()
  const handshaking: string[] = []
  let lastId = 0
  let isReady = false
  let isClosing = false
  let isClosed = false
  const tell = (message: ToExchangeProcess): void => {
    // If the process has just ended, the message is lost with it; its end is reported separately.
    if (child.connected) child.send(message, () => undefined)
  }

  const hear = (message: FromExchangeProcess): void => {
    if (message.type === 'ready') isReady = true
    else if (message.type === 'handshake') handshaking.push(message.host)
    else if (message.type === 'handshaken') {
      const at = handshaking.indexOf(message.host)
      if (at !== -1) handshaking.splice(at, 1)
      const clients = [...underWay.values()].filter(({ host }) => host === message.host)
      on.handshake(
        message,
        clients.map(({ client }) => client),
      )
    } else if (message.type === 'done') underWay.get(message.id)?.settle({ kind: 'done', ...message })
    else
      guard.resolve(
        message.hostname,
        { family: message.family, hints: message.hints, all: true },
        (error, answers) => {
          tell({
            type: 'resolved',
            id: message.id,
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
        const settle = (outcome: IsolatedOutcome): void => {
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

/** Resolves with the reason of the end, once all messages of the process have arrived. */
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
    // The start or a message failed. A process that had started still reports its exit.
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) resolve(error.code ?? 'not started')
    })
  })
}
