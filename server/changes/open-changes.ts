import { setTimeout as wait } from 'node:timers/promises'
import type { Stores } from '../open-stores.ts'
import type { Config } from '#core/config/config.ts'
import { readChangeTokens } from '#core/data/change-tokens.ts'
import { openDatabase, type Db } from '#core/data/database.ts'
import type { Opened } from '#core/closing.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import { createSayOnce } from '#core/telemetry/say-once.ts'
import {
  createChangeStreams,
  endStream,
  tellBeat,
  tellToken,
  type ChangeStreams,
  type Listener,
} from './change-streams.ts'
import { createWatchedSessions, type WatchedSessions } from './watched-sessions.ts'

/** Pause between two polls while somebody listens. */
const POLL_MS = 200
/**
 * The pause after a poll is this many times as long as the poll, so polls take a fifth of one connection at
 * most.
 */
const REST = 4

/** Tells clients' screens at once that something changed. The screens then fetch what they show. */
export interface Changes {
  /**
   * The stream of one listener, as server-sent events; call `close` when the listener has gone.
   * @throws AppError rate_limited
   */
  follow: (listener: Listener) => { pieces: AsyncIterable<string>; close: () => void }
  /** Watches the session of somebody who listens in another way; within a second, `end` says that it may not go on. */
  watchSession: WatchedSessions['watch']
  /** Ends every stream, so that the server can stop. A stream that is opened later ends at once. */
  end: () => void
}

/**
 * One poll serves all listeners. It has a connection of its own, so it delays no other query and no other
 * query delays it.
 */
export function openChanges({
  config,
  logger,
  lagging,
}: {
  config: Config
  logger: Logger
  lagging: Stores['lagging']
}): Opened<{
  changes: Changes
}> {
  const sayOnce = createSayOnce()
  const noteFailure = (error: unknown): void => {
    const message = error instanceof Error ? error.message : String(error)
    sayOnce(message, (repeats) => {
      logger.warn(
        { err: error, ...(repeats > 0 && { repeats }) },
        'what has changed could not be asked; screens ask by themselves meanwhile',
      )
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
  const streams = createChangeStreams()
  const stopped = new AbortController()
  const sessions = createWatchedSessions(db, config.auth.inactivitySeconds)
  const poll = createPoll(db, streams, sessions, async (accounts) => {
    await lagging?.writers.note(accounts)
  })
  let running: Promise<void> | undefined

  const run = async (): Promise<void> => {
    while (sessions.size() > 0 && !stopped.signal.aborted) {
      const began = performance.now()
      await poll().catch(noteFailure)
      const took = performance.now() - began
      // A stop ends the pause.
      await wait(Math.max(POLL_MS, REST * took), undefined, { signal: stopped.signal }).catch(() => undefined)
    }
    running = undefined
  }

  const watchSession: Changes['watchSession'] = (session, end) => {
    const unwatch = sessions.watch(session, end)
    if (!stopped.signal.aborted) running ??= run()
    return unwatch
  }

  return {
    part: {
      changes: {
        follow: (listener) => {
          const { user_id: account_id, session_id, member_role, expiresAt } = listener
          const { pieces, close: closeStream } = streams.open(listener, Date.now())
          if (stopped.signal.aborted) closeStream()
          const unwatch = watchSession({ account_id, session_id, member_role, expiresAt }, closeStream)
          return {
            pieces,
            close: () => {
              unwatch()
              closeStream()
            },
          }
        },
        watchSession,
        end: () => {
          stopped.abort()
          for (const stream of streams.all) endStream(stream)
        },
      },
    },
    close: async () => {
      stopped.abort()
      for (const stream of streams.all) endStream(stream)
      await running
      sayOnce.end()
      await close()
    },
  }
}

/**
 * One poll ends streams that may not go on, and tells listeners of changes. A failed poll sends no comment,
 * so nobody mistakes silence for no change.
 * @param beforeTold called with the accounts that are about to be told of a change, and will then read it
 */
function createPoll(
  db: Db,
  { all }: ChangeStreams,
  sessions: WatchedSessions,
  beforeTold: (accounts: string[]) => Promise<void>,
): () => Promise<void> {
  let snapshot: string | null = null
  return async () => {
    await sessions.look()
    if (all.size === 0) return
    const asked = [...all]
    const clients = [...new Set(asked.map(({ user_id }) => user_id))]
    const since = asked.every(({ isKnown }) => isKnown) ? snapshot : null
    const answer = await readChangeTokens(db, clients, since)
    snapshot = answer.snapshot
    const tokens = new Map(answer.tokens.map((token) => [token.client_user_id, token]))
    const news = asked.filter(
      ({ user_id, token }) => ![undefined, token].includes(tokens.get(user_id)?.token),
    )
    if (news.length > 0) await beforeTold([...new Set(news.map(({ user_id }) => user_id))])
    for (const stream of asked) {
      const token = tokens.get(stream.user_id)
      if (token !== undefined) tellToken(stream, token, Date.now())
      tellBeat(stream, Date.now())
    }
  }
}
