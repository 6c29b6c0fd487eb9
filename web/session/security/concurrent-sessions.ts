import { z } from 'zod'

const KEY = 'concurrent_sessions'
/** Only this many are tracked; older ones are dropped (docs/product.md §9). */
const MOST_TRACKED = 3
const LONGEST_MS = 24 * 60 * 60_000
const USER_AGENT_LENGTH = 50

const entrySchema = z.object({ sessionId: z.string(), timestamp: z.number(), userAgent: z.string() })
export type TrackedSession = z.infer<typeof entrySchema>
const listsSchema = z.record(z.string(), z.array(entrySchema))

/** Adds a session to the user's sessions in this browser: newest last, at most three. */
export function addSession(
  sessions: readonly TrackedSession[],
  added: TrackedSession,
  now: number,
): TrackedSession[] {
  const others = sessions.filter(
    ({ sessionId, timestamp }) => sessionId !== added.sessionId && now - timestamp < LONGEST_MS,
  )
  return [...others, added].slice(-MOST_TRACKED)
}

export function trackSession(userId: string, sessionId: string, now: number) {
  const lists = read()
  const entry = { sessionId, timestamp: now, userAgent: navigator.userAgent.slice(0, USER_AGENT_LENGTH) }
  localStorage.setItem(
    KEY,
    JSON.stringify({ ...lists, [userId]: addSession(lists[userId] ?? [], entry, now) }),
  )
}

export function forgetSession(userId: string, sessionId: string) {
  const lists = read()
  const left = (lists[userId] ?? []).filter((entry) => entry.sessionId !== sessionId)
  const { [userId]: _gone, ...others } = lists
  localStorage.setItem(KEY, JSON.stringify(left.length === 0 ? others : { ...others, [userId]: left }))
}

function read(): Record<string, TrackedSession[]> {
  try {
    return listsSchema.parse(JSON.parse(localStorage.getItem(KEY) ?? '{}'))
  } catch {
    return {}
  }
}
