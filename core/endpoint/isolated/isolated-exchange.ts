import type { SendResult } from '../exchange-once.ts'
import type { ExchangeJob, ExchangerOptions } from '../exchanger.ts'
import type { AddressGuard } from '../guard-address.ts'
import { createFairSemaphore } from './fair-semaphore.ts'
import { openProcess, type ExchangeProcess } from './open-process.ts'
import type { HostTrust } from './host-trust.ts'

/** Limit of exchanges that run alone at the same time, each in a process of its own. */
const ALONE_PLACES = 2
/**
 * A place rests nine times the processor time of its exchange, so that slow exchanges get at most a tenth of a
 * processor.
 */
const REST_TIMES = 9

/** Makes exchanges with hosts that are not trusted, in processes of their own. */
export interface IsolatedExchange {
  /** Every failure is a result, never a rejection. */
  exchange: (
    job: ExchangeJob,
    whose: { host: string; client: string },
    signal: AbortSignal | undefined,
  ) => Promise<SendResult>
  close: () => Promise<void>
}

/**
 * Makes all exchanges in one shared process, except those of clients that had a slow handshake or whose exchange may
 * have ended a process. Theirs are made one at a time in further processes. If a process ends, its exchanges under way
 * are made once more; an endpoint recognises a repeated request by its `webhook-id`. The first exchange starts the
 * shared process, and each unexpected end starts a new one.
 * @param onEnd called with the reason when a process ended unexpectedly
 */
export function createIsolatedExchange(
  guard: AddressGuard,
  options: ExchangerOptions,
  trust: HostTrust,
  onEnd: (reason: string) => void,
): IsolatedExchange {
  const line = createFairSemaphore(ALONE_PLACES)
  const idle: ExchangeProcess[] = []
  const open = new Set<ExchangeProcess>()
  let shared: ExchangeProcess | undefined
  let isClosed = false

  const start = (onGone: (wasReady: boolean) => void = () => undefined): ExchangeProcess => {
    const started = openProcess(guard, options, {
      handshake: trust.noteMeasured,
      end: (reason, wasReady) => {
        open.delete(started)
        onGone(wasReady)
        onEnd(reason)
      },
    })
    open.add(started)
    return started
  }
  const startShared = (): ExchangeProcess => {
    shared = start((wasReady) => {
      shared = undefined
      // Starts at once, so that the next exchange need not wait. After a failed start, the next exchange tries again.
      if (wasReady) startShared()
    })
    return shared
  }

  const run = async (...[job, whose, signal]: Parameters<IsolatedExchange['exchange']>) => {
    if (!trust.isIsolated(whose.client)) return await (shared ?? startShared()).exchange(job, whose, signal)
    const leave = await line.enter(whose.client, leftMs(job) / 2)
    if (leave === undefined) return undefined
    const one = idle.find((each) => !each.hasEnded()) ?? start()
    if (idle.includes(one)) idle.splice(idle.indexOf(one), 1)
    const outcome = await one.exchange(job, whose, signal)
    if (!one.hasEnded()) idle.push(one)
    leave(outcome.kind === 'done' ? outcome.cpuMs * REST_TIMES : ENDED_REST_MS)
    return outcome
  }

  return {
    exchange: async (job, whose, signal) => {
      for (;;) {
        const outcome = await run(job, whose, signal)
        if (outcome?.kind === 'done') return outcome.result
        if (isClosed)
          return fail(job, 'reset', 'Leadwire stopped this request before the answer was complete.')
        if (outcome === undefined) return fail(job, 'internal_error', NO_ROOM)
        if (outcome.kind === 'unstarted') return fail(job, 'internal_error', NOT_STARTED)
        if (outcome.isSuspect) trust.noteEnded(whose.host, whose.client, outcome.wasAlone)
        if (outcome.wasAlone) return fail(job, 'tls', ENDED)
        // An exchange without time left counts as one that hangs, so another try would end the next process too.
        if (leftMs(job) <= 0) return fail(job, 'timeout', describeLate(job))
      }
    },
    close: async () => {
      isClosed = true
      await Promise.all([...open].map((each) => each.close()))
    },
  }
}

/** Milliseconds of rest after a process ended: the exchange cost at most a second of verifying, and a new start. */
const ENDED_REST_MS = 10_000

const NO_ROOM =
  'Nothing was sent: too many secure connections that take long were waiting. Try again in a moment.'
const NOT_STARTED =
  'Nothing was sent: we could open no connection just then. This is our failure, not your endpoint’s. Try again in a moment.'
const ENDED =
  'TLS: the process in which Leadwire reads certificates and answers ended with this one: they took it more than a second, or broke it. Use a certificate from a public authority, with a short chain.'

const describeLate = ({ clock }: ExchangeJob): string =>
  `There was no complete answer within ${clock.timeoutMs / 1000} s, and the process that waited for it ended.`

const leftMs = ({ clock }: ExchangeJob): number => clock.timeoutMs - (performance.now() - clock.startedAt)

function fail(
  { clock }: ExchangeJob,
  errorClass: 'reset' | 'internal_error' | 'tls' | 'timeout',
  detail: string,
): SendResult {
  return {
    exchange: { kind: 'failure', errorClass, detail },
    body: null,
    bodyTruncated: false,
    timing: { connect_ms: null, headers_ms: null, total_ms: Math.round(performance.now() - clock.startedAt) },
    remoteAddress: null,
  }
}
