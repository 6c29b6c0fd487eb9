import { sql, type RawBuilder } from 'kysely'
import type { RevenueGroup } from '#core/contract/market/money/market-money.ts'
import { clientName } from '../../accounts/named-client.ts'
import type { Db } from '../../database.ts'
import { within } from './movements.ts'

/** Figures of a group. */
interface Sum {
  /** empty for leads without one */
  key: string
  sold: number
  sales: string
  returned: number
  credits: string
}

interface Row {
  key: string | null
  label: string
  sold: number
  sales: string
  returned: number
  credits: string
  revenue: string
}

/** SQL: the key of each group on an entry `m` and its lead `l`. */
export const REVENUE_KEYS: Readonly<Record<Exclude<RevenueGroup, 'day'>, RawBuilder<unknown>>> = {
  client: sql`m.client_user_id::text`,
  lead_type: sql`coalesce(l.lead_type, '')`,
  state: sql`coalesce(l.state::text, '')`,
  source: sql`coalesce(l.source_id::text, '')`,
}

/** SQL: what people read for the key of a group `g`. */
const LABELS: Readonly<Record<RevenueGroup, RawBuilder<unknown>>> = {
  day: sql`null`,
  client: sql`(select ${clientName('p')} from profiles p where p.user_id = g.key::uuid)`,
  lead_type: sql`(select t.label from lead_types t where t.code = g.key)`,
  state: sql`null`,
  source: sql`(select s.name from sources s where s.id = g.key::uuid)`,
}

/** SQL: what the ledger moved for leads in a span, with the lead of each entry if it is asked for. */
export async function movedForLeads(
  db: Db,
  span: { begins: Date; ends: Date },
  withLead: boolean,
): Promise<RawBuilder<unknown>> {
  const lead = sql`
    left join lead_returns r on r.id = case m.reference_type when 'return' then m.reference_id::uuid end
    left join lead_assignments a on a.id = coalesce(r.assignment_id, case m.reference_type when 'assignment' then m.reference_id::uuid end)
    left join leads l on l.id = a.lead_id`
  return sql`(
      select e.client_user_id, e.entry_type, e.amount, e.created_at, e.reference_type, e.reference_id
      from balance_ledger e where ${await within(db, span)} and e.entry_type in ('lead_purchase', 'lead_return', 'late_credit')
    ) m ${withLead ? lead : sql``}`
}

/** SQL: the figures of entries `m`. */
export const REVENUE_FIGURES = sql`
  count(*) filter (where m.entry_type = 'lead_purchase')::int as sold,
  coalesce(-sum(m.amount) filter (where m.entry_type = 'lead_purchase'), 0)::numeric(16, 2) as sales,
  count(*) filter (where m.entry_type = 'lead_return')::int as returned,
  coalesce(sum(m.amount) filter (where m.entry_type in ('lead_return', 'late_credit')), 0)::numeric(16, 2) as credits`

/** Counts a span by group, from the entries themselves. */
export async function countRevenue(
  db: Db,
  by: RevenueGroup,
  { zone, begins, ends }: { zone: string; begins: Date; ends: Date },
): Promise<Sum[]> {
  const key = by === 'day' ? sql`to_char(m.created_at at time zone ${zone}, 'YYYY-MM-DD')` : REVENUE_KEYS[by]
  const moved = await movedForLeads(db, { begins, ends }, by !== 'day' && by !== 'client')
  const { rows } = await sql<Sum>`
    /* planned for its values */ select key, sold, sales::text as sales, returned, credits::text as credits
    from (select ${key} as key, ${REVENUE_FIGURES} from ${moved} group by 1) g`.execute(db)
  return rows
}

/**
 * Adds the sums of stored days to those that were counted, and names the groups (docs/product.md §2, Figures). Days are
 * in order; other groups begin with the highest revenue.
 */
export async function addRevenue(
  db: Db,
  by: RevenueGroup,
  { days, counted }: { days: readonly string[]; counted: readonly Sum[] },
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    /* planned for its values */ with g as (
      select key, sum(sold)::int as sold, sum(sales)::text as sales, sum(returned)::int as returned, sum(credits)::text as credits,
        sum(sales) - sum(credits) as revenue
      from (
        select ${by === 'day' ? sql`day::text` : sql.ref('key')} as key, sold, sales, returned, credits from revenue_days
        where "by" = ${by} and day = any(${[...days]}::date[]) and (sold > 0 or returned > 0 or credits > 0)
        union all
        select * from jsonb_to_recordset(${JSON.stringify(counted)}::jsonb) as one (key text, sold int, sales numeric, returned int, credits numeric)
      ) each group by key
    )
    select nullif(g.key, '') as key, coalesce(case when g.key <> '' then ${LABELS[by]} end, nullif(g.key, ''), 'Not known') as label,
      g.sold, g.sales, g.returned, g.credits, g.revenue::numeric(16, 2)::text as revenue
    from g order by ${by === 'day' ? sql`g.key` : sql`g.revenue desc, g.key`}`.execute(db)
  return rows
}
