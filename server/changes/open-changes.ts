import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '#core/config/config.ts'
import { readClientMarks } from '#core/data/client-marks.ts'
import { openDatabase, type Db } from '#core/data/database.ts'
import type { Opened } from '#core/opened.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import { createSayOnce } from '#core/telemetry/say-once.ts'
import { listLiveSessions } from '../identity/data/principals.ts'
import {
  createChangeStreams,
  endStream,
  tellBeat,
  tellMark,
  type ChangeStreams,
  type Listener,
} from './change-streams.ts'

/** How often it is asked what has changed, while somebody listens. */
const LOOK_MS = 200
/** A statement that takes long is asked less often: it has a fifth of one connection at most. */
const REST = 4
/** How soon a session that has ended ends its streams. */
const SESSIONS_MS = 1000

/** Tells clients' screens at once that something of theirs has changed; what, they ask themselves. */
export interface Changes {
  /**
   * The stream of one listener, as server-sent events; `close` where he has gone.
   * @throws AppError rate_limited
   */
  follow: (listener: Listener) => { pieces: AsyncIterable<string>; close: () => void }
  /** Ends every stream, so that the server can stop; whoever comes later is told to come back. */
  end: () => void
}

/** The question is the same for all who listen, and nobody else waits for its connection, nor it for theirs. */
export function openChanges({ config, logger }: { config: Config; logger: Logger }): Opened<{
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
  const options = { ...config.database, name: 'leadwire-server', poolSize: 1, byKey: true, inLine: true }
  const { db, close } = openDatabase(options, noteFailure)
  const streams = createChangeStreams()
  const stopped = new AbortController()
  const look = createLook(db, streams, config.auth.inactivitySeconds)
  let running: Promise<void> | undefined

  const run = async (): Promise<void> => {
    while (streams.all.size > 0 && !stopped.signal.aborted) {
      const began = performance.now()
      await look().catch(noteFailure)
      const took = performance.now() - began
      // Its end is the stop.
      await wait(Math.max(LOOK_MS, REST * took), undefined, { signal: stopped.signal }).catch(() => undefined)
    }
    running = undefined
  }

  return {
    part: {
      changes: {
        follow: (listener) => {
          const stream = streams.open(listener, Date.now())
          if (stopped.signal.aborted) stream.close()
          else running ??= run()
          return stream
        },
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

/** One look: ends what may not go on, and tells those for whom something has changed. Where it fails, nobody hears that all is well. */
function createLook(db: Db, { all }: ChangeStreams, inactivitySeconds: number): () => Promise<void> {
  let snapshot: string | null = null
  let sessionsAt = 0
  return async () => {
    for (const stream of all) if (stream.expiresAt <= Date.now()) endStream(stream)
    if (Date.now() >= sessionsAt) {
      const asked = [...all]
      const sessions = asked.map(({ session_id }) => session_id)
      const live = await listLiveSessions(db, sessions, inactivitySeconds)
      for (const stream of asked) if (!live.has(stream.session_id)) endStream(stream)
      sessionsAt = Date.now() + SESSIONS_MS
    }
    const asked = [...all]
    const clients = [...new Set(asked.map(({ user_id }) => user_id))]
    const since = asked.every(({ isKnown }) => isKnown) ? snapshot : null
    const answer = await readClientMarks(db, clients, since)
    snapshot = answer.snapshot
    const marks = new Map(answer.marks.map((mark) => [mark.client_user_id, mark]))
    for (const stream of asked) {
      const mark = marks.get(stream.user_id)
      if (mark !== undefined) tellMark(stream, mark, Date.now())
      tellBeat(stream, Date.now())
    }
  }
}
