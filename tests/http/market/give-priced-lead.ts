import { sql } from 'kysely'
import { giveLead } from '../leads/give-lead.ts'
import type { Person, TestApp } from '../support/start-app.ts'

/** Gives a client a lead that it bought for $25.00 some days ago. */
export async function givePricedLead(
  app: TestApp,
  owner: Person,
  fields: Record<string, unknown> = {},
  daysAgo = 0,
): Promise<string> {
  const id = await giveLead(app, owner, fields)
  const ago = sql`make_interval(days => ${daysAgo}, secs => ${daysAgo === 0 ? 0 : 1})`
  await sql`update lead_assignments set price = 25, assigned_at = assigned_at - ${ago} where lead_id = ${id}`.execute(
    app.context.db,
  )
  await sql`
    update leads set price_charged = 25, assigned_at = assigned_at - ${ago}, created_at = created_at - ${ago}
    where id = ${id}`.execute(app.context.db)
  return id
}

/** Reads a client's balance and the number of credits for returns in it. */
export async function readBalance(app: TestApp, person: Person) {
  const { rows } = await sql<{ balance: string; credits: number; sum: string }>`
    select p.balance, (select count(*)::int from balance_ledger b where b.client_user_id = p.user_id
        and b.entry_type = 'lead_return') as credits,
      (select coalesce(sum(amount), 0)::numeric(12, 2) from balance_ledger b where b.client_user_id = p.user_id) as sum
    from profiles p where p.user_id = ${person.id}`.execute(app.context.db)
  return rows[0]
}
