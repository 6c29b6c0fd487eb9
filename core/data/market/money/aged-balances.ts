import { sql } from 'kysely'
import { AGES, type AgedBalance, type Balances } from '#core/contract/market/money/market-money.ts'
import { clientName } from '../../accounts/named-client.ts'
import type { Db } from '../../database.ts'
import { within } from './movements.ts'

const DAY_MS = 86_400_000

interface AgedRow {
  user_id: string
  email: string
  name: string
  balance: string
  days_30: string
  days_60: string
  days_90: string
  older: string
}

/**
 * Balances with the age of their money: leads are paid with the oldest money first, so what is left is the newest that
 * came in. Clients without money are left out; debts come last.
 */
export async function listAgedBalances(
  db: Db,
  now: Date,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<AgedBalance[]> {
  const { rows } = await sql<AgedRow>`
    ${await aged(db, now)}
    select p.user_id, p.email, ${clientName('p')} as name,
      aged.balance, aged.days_30, aged.days_60, aged.days_90, aged.older
    from aged join profiles p on p.user_id = aged.client_user_id
    order by aged.balance desc, p.user_id limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ user_id, email, name, balance, days_30, days_60, days_90, older }) => ({
    client: { user_id, email, name },
    balance,
    days_30,
    days_60,
    days_90,
    older,
  }))
}

/** The sums of all balances. */
export async function sumAgedBalances(db: Db, now: Date): Promise<Omit<Balances, 'data' | 'as_of'>> {
  const { rows } = await sql<
    Omit<AgedRow, 'user_id' | 'email' | 'name'> & { creditors: number; debtors: number; owing: string }
  >`
    ${await aged(db, now)}
    select count(*) filter (where balance > 0)::int as creditors, count(*) filter (where balance < 0)::int as debtors,
      ${total('balance', 'balance > 0')} as balance, ${total('-balance', 'balance < 0')} as owing,
      ${total('days_30')} as days_30, ${total('days_60')} as days_60, ${total('days_90')} as days_90, ${total('older')} as older
    from aged`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('PostgreSQL summed no balances')
  const { creditors, debtors, owing, ...owed } = row
  return { owed, creditors, owing, debtors }
}

const total = (what: string, which = 'true') =>
  sql`coalesce(sum(${sql.raw(what)}) filter (where ${sql.raw(which)}), 0)::numeric(16, 2)::text`

/** SQL: a `with` of each client's balance and the part of each age. */
async function aged(db: Db, now: Date) {
  const since = (days: number): Date => new Date(now.getTime() - days * DAY_MS)
  const oldest = since(Math.max(...AGES))
  const came = (days: number) => sql`coalesce(sum(e.amount) filter (where e.created_at >= ${since(days)}), 0)`
  return sql`
    /* planned for its values */ with came as (
      select e.client_user_id, ${came(30)} as in_30, ${came(60)} as in_60, ${came(90)} as in_90
      from balance_ledger e where ${await within(db, { begins: oldest })} and e.amount > 0 group by 1
    ), left_of as (
      select p.user_id as client_user_id, p.balance, greatest(p.balance, 0) as held,
        coalesce(in_30, 0) as in_30, coalesce(in_60, 0) as in_60, coalesce(in_90, 0) as in_90
      from profiles p left join came on came.client_user_id = p.user_id where p.balance <> 0
    ), aged as (
      select client_user_id, balance, least(held, in_30)::numeric(12, 2) as days_30,
        (least(held, in_60) - least(held, in_30))::numeric(12, 2) as days_60,
        (least(held, in_90) - least(held, in_60))::numeric(12, 2) as days_90, (held - least(held, in_90))::numeric(12, 2) as older
      from left_of
    )`
}
