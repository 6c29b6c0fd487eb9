import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '#core/config/config.ts'
import type { Opened } from '#core/closing.ts'
import { openDatabase } from '#core/data/database.ts'
import { loadOnce } from '#core/load-once.ts'
import type { SecretBox } from '#core/secrets/secret-box.ts'
import { createSayOnce } from '#core/telemetry/say-once.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import type { RecentWriters } from '#server/http/recent-writers.ts'
import type { Feed } from './feed.ts'
import { createListeners } from './listeners.ts'

/** Pause between two polls while somebody listens. */
const POLL_MS = 200
/** The pause after a poll is this many times as long as the poll, so polls take a fifth of one connection at most. */
const REST = 4
/** Longest pause, so that a slow poll does not delay changes for long. */
const MOST_REST_MS = 1000

/**
 * One poll serves all listeners of a process, on a connection of its own: it delays no other query, and no other query
 * delays it. While nobody listens, nothing is asked.
 */
export function openFeed({
  config,
  secrets,
  logger,
  writers,
}: {
  config: Config
  secrets: SecretBox
  logger: Logger
  /** where a replica serves lists: accounts that are told of a change read the primary next */
  writers: RecentWriters | undefined
}): Opened<Feed> {
  const sayOnce = createSayOnce()
  const noteFailure = (error: unknown): void => {
    const message = error instanceof Error ? error.message : String(error)
    sayOnce(message, (repeats) => {
      const fields = { err: error, ...(repeats > 0 && { repeats }) }
      logger.warn(fields, 'changed rows could not be asked; they are told when the database answers')
    })
  }
  const options = {
    url: config.database.directUrl,
    name: 'leadwire-server',
    poolSize: 1,
    byKey: true,
    inLine: true,
  }
  const { db, close } = openDatabase(options, noteFailure)
  const listeners = createListeners()
  const stopped = new AbortController()
  let running: Promise<void> | undefined

  const run = async (): Promise<void> => {
    // Loaded with the first listener, because many installations have none.
    const open = loadOnce(async () =>
      (await import('./poll-changes.ts')).createPoll({ db, secrets, logger, writers }, listeners),
    )
    while (listeners.count() > 0 && !stopped.signal.aborted) {
      const began = performance.now()
      await open()
        .then((poll) => poll())
        .catch(noteFailure)
      const rest = Math.min(MOST_REST_MS, REST * (performance.now() - began))
      // A stop ends the pause.
      await wait(Math.max(POLL_MS, rest), undefined, { signal: stopped.signal }).catch(() => undefined)
    }
    running = undefined
  }

  const end = (): void => {
    stopped.abort()
    listeners.clear()
  }
  return {
    part: {
      follow: (listener, tell, resync) => {
        if (stopped.signal.aborted) return { ready: Promise.resolve(), close: () => undefined }
        const following = listeners.add(listener, tell, resync)
        running ??= run()
        return following
      },
      end,
    },
    close: async () => {
      end()
      await running
      sayOnce.end()
      await close()
    },
  }
}
