import type { MemberRole } from '#core/contract/accounts/member-role.ts'
import type { Db } from '#core/data/database.ts'
import { listLiveSessions } from '../identity/data/principals.ts'

/** Pause between two looks at the sessions: with a poll's pause, a stream ends within a second of its session. */
const SESSIONS_MS = 500

/** A session that somebody listens with, and what it was allowed. */
export interface WatchedSession {
  session_id: string
  account_id: string
  member_role: MemberRole
  /** when the token expires, in milliseconds since the epoch */
  expiresAt: number
}

/**
 * Why a listener may not go on. `ended`: signed out, blocked, or it owes a second factor; `changed`: the person has
 * another role or account.
 */
export type SessionEnd = 'expired' | 'ended' | 'changed'

/** The sessions of everybody who listens, looked at together. */
export interface WatchedSessions {
  size: () => number
  /** Calls `end` once, when the listener may not go on. The answer stops the watch. */
  watch: (session: WatchedSession, end: (why: SessionEnd) => void) => () => void
  /** Ends everybody who may not go on. */
  look: () => Promise<void>
}

export function createWatchedSessions(db: Db, inactivitySeconds: number): WatchedSessions {
  const all = new Map<symbol, { session: WatchedSession; end: (why: SessionEnd) => void }>()
  let lookedAt = 0

  const end = (key: symbol, why: SessionEnd): void => {
    const watched = all.get(key)
    all.delete(key)
    watched?.end(why)
  }
  return {
    size: () => all.size,
    watch: (session, whenEnded) => {
      const key = Symbol('a watch')
      all.set(key, { session, end: whenEnded })
      return () => void all.delete(key)
    },
    look: async () => {
      const now = Date.now()
      for (const [key, { session }] of all) if (session.expiresAt <= now) end(key, 'expired')
      if (all.size === 0 || now < lookedAt + SESSIONS_MS) return
      const asked = [...all]
      const ids = [...new Set(asked.map(([, { session }]) => session.session_id))]
      const live = await listLiveSessions(db, ids, inactivitySeconds)
      for (const [key, { session }] of asked) {
        const member = live.get(session.session_id)
        if (member === undefined) end(key, 'ended')
        else if (member.account_id !== session.account_id || member.member_role !== session.member_role)
          end(key, 'changed')
      }
      lookedAt = Date.now()
    },
  }
}
