import { sql } from 'kysely'
import type { MarketSum } from '#core/domain/market/figures.ts'
import type { Db } from '../../database.ts'
import { restOfPrice } from '../../market/late/rest-of-price.ts'
import { binOf, isNear, isWithin, type Span } from './near-ids.ts'

/** A {@link MarketSum} and the beginning of its hour, in milliseconds. */
export interface MarketHour extends MarketSum {
  hour: number
}

/** SQL: the beginning of the hour, in milliseconds, as JSON can carry it. */
const ms = (time: string) => sql`(extract(epoch from ${binOf(time)}) * 1000)::float8`

/**
 * Counts what happened in a span, by hour and source, from the rows themselves: leads by the time when they came, sales
 * when they were made, returns when they were approved, and the credits of late leads when they were given. It reads only
 * the rows of that span, and all returns.
 */
export async function countMarket(db: Db, span: Span): Promise<MarketHour[]> {
  const { rows } = await sql<MarketHour>`
    /* planned for its values */ with came as (
      select ${ms('l.created_at')} as hour, null::float8 as came, l.source_id, count(*) as leads_in,
        count(*) filter (where l.status = 'duplicate') as duplicates, coalesce(sum(l.cost), 0) as cost
      from leads l
      where ${isNear('l.id', span)} and ${isWithin('l.created_at', span)} and l.user_id is null and not l.is_test
      group by 1, 3
    ), made as (
      select ${ms('a.assigned_at')} as hour, ${ms('l.created_at')} as came, l.source_id, count(*) as sold, sum(a.price) as sales,
        count(*) filter (where l.user_id is null and not exists (
          select from lead_assignments e
          where e.lead_id = a.lead_id and e.state <> 'active' and e.price > 0 and (e.assigned_at, e.id) < (a.assigned_at, a.id))) as first_sold
      from lead_assignments a cross join lateral (select * from leads where leads.id = a.lead_id offset 0) l
      where ${isNear('a.id', span)} and ${isWithin('a.assigned_at', span)} and a.price > 0 and not l.is_test
      group by 1, 2, 3
    ), undone as (
      select ${ms('r.decided_at')} as hour, null::float8 as came, l.source_id, count(*) as returned, sum(${restOfPrice('a')}) as credits
      from lead_returns r join lead_assignments a on a.id = r.assignment_id
        cross join lateral (select * from leads where leads.id = r.lead_id offset 0) l
      where r.status = 'approved' and ${isWithin('r.decided_at', span)} and a.price > 0 and not l.is_test
      group by 1, 3
    ), late as (
      select ${ms('k.credited_at')} as hour, null::float8 as came, l.source_id, sum(k.price) as credits
      from late_leads k cross join lateral (select * from leads where leads.id = k.lead_id offset 0) l
      where k.credit = 'credited' and ${isWithin('k.credited_at', span)}
      group by 1, 3
    )
    select hour, came, source_id, sum(leads_in)::int as leads_in, sum(duplicates)::int as duplicates,
      sum(cost)::numeric(16, 2)::text as cost, sum(sold)::int as sold, sum(first_sold)::int as first_sold,
      sum(sales)::numeric(16, 2)::text as sales, sum(returned)::int as returned, sum(credits)::numeric(16, 2)::text as credits
    from (
      select hour, came, source_id, leads_in, duplicates, cost, 0 as sold, 0 as first_sold, 0 as sales, 0 as returned, 0 as credits
      from came
      union all select hour, came, source_id, 0, 0, 0, sold, first_sold, sales, 0, 0 from made
      union all select hour, came, source_id, 0, 0, 0, 0, 0, 0, returned, credits from undone
      union all select hour, came, source_id, 0, 0, 0, 0, 0, 0, 0, credits from late
    ) each group by hour, came, source_id`.execute(db)
  return rows
}
