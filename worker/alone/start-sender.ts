import { fork } from 'node:child_process'
import type { Config } from '#core/config/config.ts'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { measureLease } from '../dispatch/measure-lease.ts'
import { ALIVE_EVERY_MS, type FromSender, type ToSender } from './messages.ts'

/** Heap limit in megabytes: endless growth ends this process before the kernel's OOM killer picks another. */
const MOST_MEGABYTES = 512
/**
 * A process hangs if it showed no sign of life for this many beats and its lease is about to end. It is ended while it
 * still has the lease. We count beats, not time, so that a machine that slept does not look like a process that hangs.
 */
const SILENT_BEATS = 5
const BEFORE_LEASE_ENDS_SECONDS = 4

/** `unsent`: the process had ended before it got the delivery. */
export type SentAlone = 'sent' | 'crashed' | 'unsent'

/** A process that sends one delivery at a time. */
export interface Sender {
  /** true once it has started; false if it ended before that */
  isReady: Promise<boolean>
  ended: Promise<void>
  /** To be called when it is ready and nothing is in flight. */
  send: (delivery: ClaimedDelivery) => Promise<SentAlone>
  /** Waits for the delivery in flight, then ends the process. */
  stop: () => Promise<void>
}

/**
 * Starts such a process.
 * @param program worker/alone/alone-process.ts
 * @param onCounted called with each metric of the process
 */
export function startSender(program: URL, config: Config, onCounted: (counted: FromSender) => void): Sender {
  const ready = Promise.withResolvers<boolean>()
  const ended = Promise.withResolvers<void>()
  let sending: PromiseWithResolvers<SentAlone> | undefined
  const lastBeat =
    ((measureLease(config.webhooks.timeoutMs) - BEFORE_LEASE_ENDS_SECONDS) * 1000) / ALIVE_EVERY_MS
  let silentBeats = 0
  let hasEnded = false
  const child = fork(program, {
    execArgv: [`--max-old-space-size=${MOST_MEGABYTES}`],
    serialization: 'advanced',
  })

  function noteEnd(): void {
    hasEnded = true
    ready.resolve(false)
    sending?.resolve('crashed')
    ended.resolve()
  }

  child.once('exit', noteEnd)
  child.on('error', () => {
    // The process never started. Any other failure shows when it exits.
    if (child.pid === undefined) noteEnd()
  })
  child.on('message', (message: unknown) => {
    silentBeats = 0
    const told = message as FromSender
    if (told.kind === 'ready') ready.resolve(true)
    else if (told.kind === 'sent') sending?.resolve('sent')
    else onCounted(told)
  })
  const tell = (message: ToSender): void => {
    // If a message does not arrive, the process has ended, and its exit is reported.
    if (child.connected) child.send(message, () => undefined)
  }
  tell({ kind: 'start', config })

  return {
    isReady: ready.promise,
    ended: ended.promise,
    send: async (delivery) => {
      if (hasEnded) return 'unsent'
      const mine = Promise.withResolvers<SentAlone>()
      sending = mine
      silentBeats = 0
      let beats = 0
      const watching = setInterval(() => {
        silentBeats += 1
        beats += 1
        if (silentBeats >= SILENT_BEATS && beats >= lastBeat) child.kill('SIGKILL')
      }, ALIVE_EVERY_MS)
      tell({ kind: 'send', delivery })
      return await mine.promise.finally(() => {
        clearInterval(watching)
        sending = undefined
      })
    },
    stop: async () => {
      if (child.connected) child.disconnect()
      await ended.promise
    },
  }
}
