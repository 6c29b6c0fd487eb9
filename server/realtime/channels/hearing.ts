import type { Changes } from '../../changes/open-changes.ts'
import type { SessionEnd } from '../../changes/watched-sessions.ts'
import type { Principal } from '../../identity/find-live-session.ts'
import type { Feed, RowChange } from '../feed/feed.ts'
import { judgeBindings, listMessages, writeChange, type Binding, type NumberedBinding } from './bindings.ts'
import { listHeardTables } from './heard-tables.ts'

/** Why a hearing ends. `missed`: changes may have been lost on the way. */
export type HearingEnd = SessionEnd | 'missed'

/** The subscription of one person on one channel. */
export interface Hearing {
  person: Principal
  /** Resolves when changes are heard: with the reason as text if none ever will be. */
  ready: Promise<string | undefined>
  /** The same person goes on with a newer token. */
  renew: (expiresAt: number) => void
  close: () => void
}

export interface HearingContext {
  changes: Pick<Changes, 'watchSession'>
  feed: Feed
}

/**
 * Follows the changes of a person's account, as far as the role reaches, while the session lives.
 * @param pushChange gets the payload of a message as JSON text
 */
export function openHearing(
  { changes, feed }: HearingContext,
  { person, expiresAt, asked }: { person: Principal; expiresAt: number; asked: readonly NumberedBinding[] },
  { pushChange, end }: { pushChange: (payload: string) => void; end: (why: HearingEnd) => void },
): Hearing {
  const { session_id, account_id, member_role, member_user_id } = person
  const watch = (until: number): (() => void) =>
    changes.watchSession({ session_id, account_id, member_role, expiresAt: until }, end)
  const bindings = judgeBindings(asked, listHeardTables(member_role))
  const followed =
    typeof bindings === 'string' || bindings.length === 0
      ? undefined
      : feed.follow(
          {
            account_id,
            member_user_id,
            tables: new Set(bindings.flatMap(({ tables }) => [...tables.keys()])),
          },
          (made) => pushChanges(bindings, made, pushChange),
          () => end('missed'),
        )
  let unwatch = watch(expiresAt)
  return {
    person,
    ready: (followed?.ready ?? Promise.resolve()).then(() =>
      typeof bindings === 'string' ? bindings : undefined,
    ),
    renew: (until) => {
      unwatch()
      unwatch = watch(until)
    },
    close: () => {
      unwatch()
      followed?.close()
    },
  }
}

function pushChanges(
  bindings: readonly Binding[],
  changes: readonly RowChange[],
  push: (payload: string) => void,
): void {
  for (const change of changes) {
    for (const { ids, select } of listMessages(bindings, change))
      push(`{"ids":${JSON.stringify(ids)},"data":${writeChange(change, select)}}`)
  }
}
