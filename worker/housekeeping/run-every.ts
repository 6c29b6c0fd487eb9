import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '#core/telemetry/logger.ts'

/** The shortest rest after a run, as a fraction of the period. */
const LEAST_REST = 1 / 4

/**
 * Runs a chore on the beats of its period until it is stopped; a long run checks the signal. A repeated failure is
 * logged once, until a run succeeds. All chores of a process have the same beats, so that they can share a query.
 */
export function runEvery(
  name: string,
  periodMs: number,
  logger: Logger,
  chore: (signal: AbortSignal) => Promise<void>,
): () => Promise<void> {
  const stopping = new AbortController()
  let failing = false
  async function loop(): Promise<void> {
    let beat = Math.floor(performance.now() / periodMs)
    while (!stopping.signal.aborted) {
      try {
        await chore(stopping.signal)
        if (failing) logger.info({ chore: name }, 'a chore works again')
        failing = false
      } catch (error) {
        if (!failing) logger.error({ err: error, chore: name }, 'a chore failed and will be repeated')
        failing = true
      }
      const now = performance.now()
      // A timer may fire a moment early. Its beat still counts as over.
      beat = Math.max(beat + 1, Math.ceil(now / periodMs + LEAST_REST))
      await sleep(Math.ceil(beat * periodMs - now), undefined, { signal: stopping.signal }).catch(
        () => undefined,
      )
    }
  }
  const running = loop()
  return async () => {
    stopping.abort()
    await running
  }
}
