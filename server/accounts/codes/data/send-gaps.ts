import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'

/** Longer than any gap that can be configured, so older rows delay nobody. */
const KEPT = sql`interval '2 hours'`

/**
 * Records that something is sent now, unless the last one is too recent. One statement, so that only one of
 * several parallel requests sends.
 * @returns 0 if it may be sent, else the seconds to wait
 */
export async function noteSend(
  db: Db,
  { address_mac, purpose }: { address_mac: Buffer; purpose: string },
  gapSeconds: number,
): Promise<number> {
  const gap = sql`make_interval(secs => ${gapSeconds})`
  const { rows } = await sql`
    insert into auth.send_gaps as g (address_mac, purpose) values (${address_mac}, ${purpose})
    on conflict (address_mac, purpose) do update set sent_at = clock_timestamp()
    where g.sent_at <= clock_timestamp() - ${gap}
    returning 1`.execute(db)
  if (rows.length > 0) {
    await forgetOldSends(db)
    return 0
  }
  const { rows: waits } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from sent_at + ${gap} - clock_timestamp()))::integer as seconds
    from auth.send_gaps where address_mac = ${address_mac} and purpose = ${purpose}`.execute(db)
  return Math.max(1, waits[0]?.seconds ?? 1)
}

/** Removes the record of a message that was not sent after all. */
export async function forgetSend(
  db: Db,
  { address_mac, purpose }: { address_mac: Buffer; purpose: string },
): Promise<void> {
  await db
    .deleteFrom('auth.send_gaps')
    .where('address_mac', '=', address_mac)
    .where('purpose', '=', purpose)
    .execute()
}

async function forgetOldSends(db: Db): Promise<void> {
  await sql`
    delete from auth.send_gaps where (address_mac, purpose) in (
      select address_mac, purpose from auth.send_gaps where sent_at < now() - ${KEPT}
      order by sent_at limit 20 for update skip locked)`.execute(db)
}
