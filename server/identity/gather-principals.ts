import { createBatcher } from '#core/concurrency/batch.ts'
import type { Db } from '#core/data/database.ts'
import { findPrincipals, type FoundPrincipal, type NamedSession } from './data/principals.ts'

const MOST_TOGETHER = 100

/** Finds a token's user, and whether its session lives, as the database says now. */
export type FindPrincipal = (named: NamedSession) => Promise<FoundPrincipal>

/**
 * Requests of the same moment share a query. So a program that calls over hundreds of connections takes two database
 * connections, not all, and one look-up for each of its tokens.
 * @param inactivitySeconds after which a session expires; 0: never
 */
export function gatherPrincipals(db: Db, inactivitySeconds: number): FindPrincipal {
  const lookUps = createBatcher<NamedSession, FoundPrincipal>({
    maxSize: MOST_TOGETHER,
    parallel: 2,
    flush: async (named) => {
      const keys = named.map(({ user_id: user, session_id: session }) => `${user} ${session ?? ''}`)
      const once = new Map(keys.map((key, at) => [key, at]))
      const asked = [...once.values()].flatMap((at) => named[at] ?? [])
      const found = await findPrincipals(db, asked, inactivitySeconds)
      const places = new Map([...once.keys()].map((key, place) => [key, place]))
      return keys.map((key) => found[places.get(key) ?? -1])
    },
  })
  return (named) => lookUps.add(named)
}
