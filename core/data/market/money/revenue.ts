import { sql, type RawBuilder } from 'kysely'
import type { RevenueGroup } from '#core/contract/market/money/market-money.ts'
import type { Db } from '../../database.ts'
import { within } from './movements.ts'

interface Row {
  key: string | null
  label: string
  sold: number
  sales: string
  returned: number
  credits: string
  revenue: string
}

/** Each group by its key, which is null for leads without one, and the label that people read. */
const GROUPS: Readonly<
  Record<
    RevenueGroup,
    (zone: string) => { key: RawBuilder<unknown>; label: RawBuilder<unknown>; isOfLead: boolean }
  >
> = {
  day: (zone) => ({
    key: sql`to_char(m.created_at at time zone ${zone}, 'YYYY-MM-DD')`,
    label: sql`g.key`,
    isOfLead: false,
  }),
  client: () => ({
    key: sql`m.client_user_id::text`,
    label: sql`(select coalesce(nullif(c.business_name, ''), nullif(p.name, ''), p.email) from profiles p
      left join client_accounts c on c.user_id = p.user_id where p.user_id = g.key::uuid)`,
    isOfLead: false,
  }),
  lead_type: () => ({
    key: sql`l.lead_type`,
    label: sql`(select t.label from lead_types t where t.code = g.key)`,
    isOfLead: true,
  }),
  state: () => ({ key: sql`l.state::text`, label: sql`g.key`, isOfLead: true }),
  source: () => ({
    key: sql`l.source_id::text`,
    label: sql`(select s.name from sources s where s.id = g.key::uuid)`,
    isOfLead: true,
  }),
}

/**
 * Sums what the ledger moved for leads in a span: sales, and credits for returned leads, by group (docs/product.md §2,
 * Figures). Days are in order; other groups begin with the highest revenue.
 */
export async function sumRevenue(
  db: Db,
  by: RevenueGroup,
  { zone, begins, ends }: { zone: string; begins: Date; ends: Date },
): Promise<Row[]> {
  const { key, label, isOfLead } = GROUPS[by](zone)
  const lead = sql`
    left join lead_returns r on r.id = case m.reference_type when 'return' then m.reference_id::uuid end
    left join lead_assignments a on a.id = coalesce(r.assignment_id, case m.reference_type when 'assignment' then m.reference_id::uuid end)
    left join leads l on l.id = a.lead_id`
  const { rows } = await sql<Row>`
    /* planned for its values */ with m as (
      select e.client_user_id, e.entry_type, e.amount, e.created_at, e.reference_type, e.reference_id
      from balance_ledger e where ${await within(db, { begins, ends })} and e.entry_type in ('lead_purchase', 'lead_return')
    ), g as (
      select ${key} as key, count(*) filter (where m.entry_type = 'lead_purchase')::int as sold,
        coalesce(-sum(m.amount) filter (where m.entry_type = 'lead_purchase'), 0)::numeric(16, 2)::text as sales,
        count(*) filter (where m.entry_type = 'lead_return')::int as returned,
        coalesce(sum(m.amount) filter (where m.entry_type = 'lead_return'), 0)::numeric(16, 2)::text as credits,
        -sum(m.amount)::numeric(16, 2) as revenue
      from m ${isOfLead ? lead : sql``} group by 1
    )
    select g.key, coalesce(${label}, g.key, 'Not known') as label, g.sold, g.sales, g.returned, g.credits, g.revenue::text as revenue
    from g order by ${by === 'day' ? sql`g.key` : sql`g.revenue desc, g.key`}`.execute(db)
  return rows
}
