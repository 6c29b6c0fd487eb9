import { sql, type Kysely } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'
import type { TestMailLimits } from '#core/domain/webhooks/by-mail/test-mail-limits.ts'

interface Counted {
  counted: string
  in_hour: number
  in_day: number
  /** seconds until the next hour, and the next day */
  to_hour: number
  to_day: number
}

/**
 * Counts a test mail that is about to be sent for an account to an address. A refused one is not counted.
 * @returns undefined if it may be sent; otherwise the seconds until one may
 */
export async function takeTestMail(
  db: Kysely<Database>,
  { client, address }: { client: string; address: string },
  limits: TestMailLimits,
): Promise<number | undefined> {
  const wait = await db.transaction().execute(async (trx) => {
    const { rows: keys } = await sql<{ account: string; address: string }>`
      select ${`account:${client}`}::text as account,
        'address:' || encode(sha256(convert_to(${address}, 'UTF8')), 'hex') as address`.execute(trx)
    const ids = keys.flatMap(({ account, address: to }) => [account, to])
    await sql`
      insert into test_mail_counts (counted, hour, in_hour, in_day)
      select counted, date_trunc('hour', now(), 'UTC'), 0, 0 from unnest(${ids}::text[]) counted order by counted
      on conflict do nothing`.execute(trx)
    const { rows } = await sql<Counted>`
      select counted, case when hour = date_trunc('hour', now(), 'UTC') then in_hour else 0 end as in_hour,
        case when hour >= date_trunc('day', now(), 'UTC') then in_day else 0 end as in_day,
        extract(epoch from date_trunc('hour', now(), 'UTC') + interval '1 hour' - now())::float8 as to_hour,
        extract(epoch from date_trunc('day', now(), 'UTC') + interval '24 hours' - now())::float8 as to_day
      from test_mail_counts where counted = any(${ids}::text[]) order by counted for update`.execute(trx)
    const waits = rows.map((row) => waitFor(row, limits))
    if (waits.some((seconds) => seconds > 0)) return Math.ceil(Math.max(...waits))
    await sql`
      update test_mail_counts c set hour = date_trunc('hour', now(), 'UTC'), in_hour = t.in_hour + 1, in_day = t.in_day + 1
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (counted text, in_hour int, in_day int)
      where c.counted = t.counted`.execute(trx)
    return undefined
  })
  await sql`
    delete from test_mail_counts where counted in (
      select counted from test_mail_counts where hour < now() - interval '2 days' limit 100 for update skip locked)`.execute(
    db,
  )
  return wait
}

function waitFor({ counted, in_hour, in_day, to_hour, to_day }: Counted, limits: TestMailLimits): number {
  const most = counted.startsWith('account:') ? limits.account : limits.address
  if (in_day >= most.day) return to_day
  return in_hour >= most.hour ? to_hour : 0
}
