import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { ALERT_THRESHOLDS, ALERT_WINDOW_MS } from '#core/contract/accounts/security-event.ts'
import type { Db } from '#core/data/database.ts'
import type { Caller } from '#server/identity/caller.ts'
import { ofHolder, type EventHolder } from './security-events.ts'

/** The actions of the audit log that count as each event of docs/product.md §9. */
const AUDITED: Readonly<Record<string, readonly string[]>> = {
  failed_login: ['sign_in_failed', 'sign_in_blocked'],
  password_change: ['password_changed'],
  suspicious_request: ['token_reuse_detected'],
}

/** The event of docs/product.md §9 that an action of the audit log counts as, if any. */
export function eventOfAction(action: string): string | undefined {
  return Object.keys(AUDITED).find((event) => AUDITED[event]?.includes(action) === true)
}

/**
 * Raises a `security_alert` if too many events of this type came in the last five minutes (docs/product.md §9): one for
 * each holder, type and window. It is a security event and a row of the audit log. The server and the browsers often
 * report the same events, so the larger of the two counts decides, not their sum.
 */
export async function raiseAlerts(db: Db, type: string, holder: EventHolder, caller: Caller): Promise<void> {
  if (!Object.hasOwn(ALERT_THRESHOLDS, type)) return
  if (!(await isDue(db, type, holder))) return
  const raise = async (trx: Db): Promise<void> => {
    // The first of several concurrent requests raises the alert; the others wait and find it raised.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`alert ${type} ${holder.user_id ?? holder.ip}`}, 0))`.execute(
      trx,
    )
    if (!(await isDue(trx, type, holder))) return
    await insertAlert(trx, { cause: type, threshold: ALERT_THRESHOLDS[type] ?? 0 }, holder, caller)
  }
  if (db.isTransaction) await raise(db)
  else await db.transaction().execute(raise)
}

/**
 * Only the audit log decides whether an alert was already raised: browsers may report alerts of their own.
 */
async function isDue(db: Db, type: string, holder: EventHolder): Promise<boolean> {
  const threshold = ALERT_THRESHOLDS[type] ?? Infinity
  const since = sql`clock_timestamp() - make_interval(secs => ${ALERT_WINDOW_MS / 1000})`
  const isHolders = ofHolder(holder)
  const { rows } = await sql<{ is_due: boolean }>`
    select greatest(
      (select count(*) from (
        select 1 from auth.audit_log
        where ${isHolders} and at > ${since} and action = any(${[...(AUDITED[type] ?? [])]}::text[])
        limit ${threshold}) as seen),
      (select count(*) from (
        select 1 from auth.security_events
        where ${isHolders} and received_at > ${since} and type = ${type}
        limit ${threshold}) as reported)
    ) >= ${threshold} and not exists (
      select from auth.audit_log
      where ${isHolders} and at > ${since} and action = 'security_alert' and details ->> 'cause' = ${type}
    ) as is_due`.execute(db)
  return rows[0]?.is_due ?? false
}

/** Whether the server raised an alert for this holder and type in the last five minutes. */
export async function wasAlertRaised(db: Db, type: string, holder: EventHolder): Promise<boolean> {
  const { rows } = await sql`
    select 1 from auth.audit_log
    where ${ofHolder(holder)} and at > clock_timestamp() - make_interval(secs => ${ALERT_WINDOW_MS / 1000})
      and action = 'security_alert' and details ->> 'cause' = ${type} limit 1`.execute(db)
  return rows.length > 0
}

/** Writes an alert, as a security event and a row of the audit log. */
export async function insertAlert(
  db: Db,
  about: { cause: string; threshold: number },
  holder: EventHolder,
  caller: Caller,
): Promise<void> {
  const { ip, user_agent } = caller
  await db
    .insertInto('auth.security_events')
    .values({
      id: randomUUIDv7(),
      user_id: holder.user_id,
      type: 'security_alert',
      severity: 'critical',
      occurred_at: new Date(),
      received_at: sql<Date>`clock_timestamp()`,
      ip,
      user_agent,
      details: JSON.stringify(about),
    })
    .execute()
  await db
    .insertInto('auth.audit_log')
    .values({
      action: 'security_alert',
      user_id: holder.user_id,
      actor: 'nobody',
      ip,
      user_agent,
      details: JSON.stringify(about),
    })
    .execute()
}
