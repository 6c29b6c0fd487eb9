import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'

/** The observations of a reader of all feeds. */
export interface FollowedFeeds {
  entries: number
  /** numbers that came before a smaller one, or twice */
  outOfOrder: number
}

/**
 * Reads all feeds again and again, as their clients do: after the last number that was read. Nothing is read twice, so a
 * number that becomes visible late would be missed.
 */
export async function followFeeds(db: Db, isOver: () => boolean): Promise<FollowedFeeds> {
  const last = new Map<string, number>()
  const followed = { entries: 0, outOfOrder: 0 }
  for (let isLast = false; !isLast; await sleep(5)) {
    isLast = isOver()
    const { rows } = await sql<{ client: string; number: number }>`
      select f.client_user_id as client, f.number::float8 as number
      from client_feed f left join unnest(${[...last.keys()]}::uuid[], ${[...last.values()]}::bigint[]) known (client, number)
        on known.client = f.client_user_id
      where f.number > coalesce(known.number, 0) order by f.client_user_id, f.number`.execute(db)
    for (const { client, number } of rows) {
      if (number !== (last.get(client) ?? 0) + 1) followed.outOfOrder += 1
      last.set(client, number)
    }
    followed.entries += rows.length
  }
  return followed
}
