import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'

/** A fault of a feed, with the client or the lead that shows it. */
export interface FeedFault {
  what: 'gap' | 'head' | 'time' | 'missing' | 'invented' | 'held' | 'hash'
  of: string
}

/**
 * All faults of all feeds; empty if there are none. Numbers have no gap and do not repeat, times never decrease, each event
 * of a client has its entry, entries lead to the leads that the client holds now, and the hashes chain.
 */
export async function findFeedFaults(db: Db): Promise<FeedFault[]> {
  const { rows } = await sql<FeedFault>`
    with facts as materialized (
      select e.id, e.type, e.client_user_id, e.lead_id from events e join leads l on l.id = e.lead_id and not l.is_test
      where e.type in ('lead.assigned', 'lead.returned', 'lead.reassigned', 'lead.consent_revoked') and e.client_user_id is not null
    ), replayed as materialized (
      select distinct on (client_user_id, lead_id) client_user_id, lead_id, kind from client_feed
      where kind in ('assigned', 'returned') order by client_user_id, lead_id, number desc
    )
    select 'gap' as what, client_user_id::text as of from client_feed
    group by client_user_id having min(number) <> 1 or max(number) <> count(*)
    union all
    select 'head', coalesce(h.client_user_id, f.client_user_id)::text from client_feed_heads h
    full join (select client_user_id, max(number) as last from client_feed group by client_user_id) f using (client_user_id)
    where h.last_number is distinct from f.last
    union all
    select 'time', client_user_id::text from (
      select client_user_id, at, lag(at) over (partition by client_user_id order by number) as before from client_feed
    ) entries where before > at
    union all
    select 'missing', lead_id::text from facts
    where facts.type <> 'lead.reassigned' and not exists (select from client_feed f where f.event_id = facts.id and f.client_user_id = facts.client_user_id)
    union all
    select 'invented', f.lead_id::text from client_feed f
    where f.kind <> 'erased' and not exists (select from facts where facts.id = f.event_id and facts.client_user_id = f.client_user_id)
    union all
    select 'held', coalesce(a.lead_id, r.lead_id)::text
    from (select a.* from lead_assignments a join leads l on l.id = a.lead_id and not l.is_test where a.state = 'active') a
    full join (select * from replayed where kind = 'assigned') r on r.lead_id = a.lead_id and r.client_user_id = a.client_user_id
    where a.lead_id is null or r.lead_id is null
  `.execute(db)
  return [...rows, ...(await findBrokenChains(db))]
}

export async function countFeedEntries(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from client_feed`.execute(db)
  return rows[0]?.count ?? 0
}

async function findBrokenChains(db: Db): Promise<FeedFault[]> {
  const { rows } = await sql<{ client: string; line: string; hash: string }>`
    select client_user_id as client, encode(hash, 'hex') as hash, concat_ws(' ', number, kind, lead_id,
      to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as line
    from client_feed order by client_user_id, number`.execute(db)
  const chains = Map.groupBy(rows, ({ client }) => client)
  return [...chains].flatMap(([client, entries]) => {
    let hash = '0'.repeat(64)
    return entries.flatMap((entry) => {
      hash = createHash('sha256').update(`${hash} ${entry.line}`).digest('hex')
      return hash === entry.hash ? [] : [{ what: 'hash' as const, of: client }]
    })
  })
}
