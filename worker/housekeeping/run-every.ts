import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '#core/telemetry/logger.ts'

/** A chore that runs again and again until it is stopped (a long one looks at the signal); a failure is logged once until it succeeds again. */
export function runEvery(
  name: string,
  periodMs: number,
  logger: Logger,
  chore: (signal: AbortSignal) => Promise<void>,
): () => Promise<void> {
  const stopping = new AbortController()
  let failing = false
  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await chore(stopping.signal)
        if (failing) logger.info({ chore: name }, 'a chore works again')
        failing = false
      } catch (error) {
        if (!failing) logger.error({ err: error, chore: name }, 'a chore failed and will be repeated')
        failing = true
      }
      await sleep(periodMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const running = loop()
  return async () => {
    stopping.abort()
    await running
  }
}
