import { sql, type RawBuilder } from 'kysely'
import { CAME_IN_IMPORT } from '#core/data/market/late/late-starts.ts'
import { noteDays, SAYS_DAYS_ARE_NOTED } from '#core/data/market/note-days.ts'
import { compileOnce } from '#core/data/compile-once.ts'
import type { Db } from '#core/data/database.ts'
import {
  BODY_COLUMNS,
  BODY_VALUES,
  LOG_COLUMNS,
  LOG_VALUES,
  TOLD_DATA,
  columnsOf,
  unnested,
  type AttemptColumn,
  type AttemptRecord,
} from './attempt-rows.ts'
import { logLostAttempts, type LostLease } from './log-lost-attempts.ts'

/** `lost`: the reason why the attempt is only in the log; null if it settled its delivery. */
export interface RecordedAttempt {
  lost: LostLease | null
  next_attempt_at: Date | null
  /** the status as it was written: by {@link AttemptRecord.if_changed} if its configuration was changed meanwhile */
  record: AttemptRecord
}

interface SettledAttempt {
  log_id: string
  next_attempt_at: Date | null
}

/**
 * Milliseconds for which a batch waits for a lock, for example while an account is erased with everything that waits
 * for it. After that it fails with 55P03, and nothing is written.
 */
const PATIENCE_MS = 1000

/** Added only to a batch that needs it, because it would make the others more expensive. */
const SWITCHED_OFF = sql`, switched_off as (
      update client_webhook_configs c
      set is_active = false, disabled_reason = m.reason, disabled_at = now(), updated_at = now()
      from (select webhook_config_id, min(disable_reason) as reason, max(claimed_at) as read_at from made
        where disable_reason is not null group by webhook_config_id) m
      -- Changed since it was read for the request, it may have another address by now.
      where c.id = m.webhook_config_id and c.is_active and c.updated_at <= m.read_at
    )`

/** Added only to a batch with late first attempts, whose leads may have to be credited. */
const noteLateStarts = (late: RawBuilder<unknown>) => sql`, late as (
      insert into late_starts (delivery_id, event_id, lead_id, client_user_id, begun_at, due_at, turn)
      select m.delivery_id, m.event_id, m.lead_id, m.client_user_id, m.created_at, t.due_at, t.turn
      from settled m join jsonb_to_recordset(${late}::jsonb) as t (log_id uuid, due_at timestamptz, turn integer) on t.log_id = m.log_id
      -- An import makes thousands of leads that wait, and the promise leaves them out.
      where t.turn = 0 or not exists (select from leads l where l.id = m.lead_id and ${CAME_IN_IMPORT})
      on conflict do nothing
    )`

/**
 * Writes a batch of attempts in one statement: log rows, the deliveries' new status, the timeline, and configurations
 * that are to be switched off. Safe to run twice. Returns results in the given order.
 * @throws also if one of the rows stays locked for too long; the others can then be written separately
 */
export async function recordAttempts(db: Db, records: readonly AttemptRecord[]): Promise<RecordedAttempt[]> {
  const { rows, written } = await settleInOrder(db, records)
  const settled = new Map(rows.map((row) => [row.log_id, row]))
  const others = written.filter(({ log_id: id }) => !settled.has(id))
  const lost = new Map(
    (others.length === 0 ? [] : await logLostAttempts(db, others)).map((row) => [row.log_id, row]),
  )
  return written.map((record) => ({
    lost: lost.get(record.log_id)?.lost ?? null,
    next_attempt_at: (settled.get(record.log_id) ?? lost.get(record.log_id))?.next_attempt_at ?? null,
    record,
  }))
}

/**
 * Configurations that are to be switched off, or whose hours a retry waits for, are locked first, in the common order
 * of locks on them and their deliveries (docs/decisions/0005).
 */
async function settleInOrder(
  db: Db,
  records: readonly AttemptRecord[],
): Promise<{ rows: SettledAttempt[]; written: readonly AttemptRecord[] }> {
  const judged = records.filter((record) => record.disable_reason !== null || record.if_changed !== null)
  if (judged.length === 0) return { rows: await settleAttempts(db, records, false), written: records }
  return await db.transaction().execute(async (trx) => {
    await sql`select set_config('lock_timeout', ${`${PATIENCE_MS}ms`}, true)`.execute(trx)
    const ids = judged.map((record) => record.webhook_config_id)
    const ends = judged.some(({ disable_reason: reason }) => reason !== null)
    const { rows: active } = await sql<{ id: string; version: string }>`
      select id, xmin::text as version from client_webhook_configs where id = any(${ids}::uuid[]) and is_active
      order by id ${ends ? sql`for no key update` : sql`for key share`}`.execute(trx)
    const versions = new Map(active.map(({ id, version }) => [id, version]))
    const written = records.map((record): AttemptRecord => {
      const version = versions.get(record.webhook_config_id) ?? record.config_version
      return version === record.config_version ? record : { ...record, ...record.if_changed }
    })
    return { rows: await settleAttempts(trx, written, ends), written }
  })
}

async function settleAttempts(
  db: Db,
  records: readonly AttemptRecord[],
  switchesOff: boolean,
): Promise<SettledAttempt[]> {
  const late = records.flatMap(({ log_id, late: how }) => (how === null ? [] : { log_id, ...how }))
  const values = { ...columnsOf(records), late: JSON.stringify(late) }
  if (late.length > 0) return await (switchesOff ? settleLateAndSwitchOff : settleLate)(db, values)
  return await (switchesOff ? settleAndSwitchOff : settle)(db, values)
}

// Each step passes all columns of the batch on. If each step joined the batch again, PostgreSQL would search the batch
// for each of its rows.
const settling = ({ switchesOff, notesLate }: { switchesOff: boolean; notesLate: boolean }) =>
  compileOnce<SettledAttempt, Record<AttemptColumn | 'late', unknown>>(
    (value) => sql`
    with made as (
      select *, case when state = 'pending' then now() + make_interval(secs => retry_in_seconds) end as retry_at
      from (select set_config('lock_timeout', ${sql.lit(`${PATIENCE_MS}ms`)}, true), ${SAYS_DAYS_ARE_NOTED}) patience cross join ${unnested(value)}
    ), settled as (
      update webhook_deliveries d
      -- Cancelled while its request was under way: it stays cancelled, unless that request has delivered it after all.
      set state = case when d.state = 'cancelled' and m.state <> 'delivered' then 'cancelled' else m.state end,
        attempt = m.attempt,
        next_attempt_at = case when d.state <> 'cancelled' then m.retry_at end,
        finished_at = case when m.state <> 'pending' then now() when d.state = 'cancelled' then d.finished_at end,
        lease_token = null, lease_until = null, own_failures = 0, lost_leases = 0,
        outcome = m.outcome, receiver_id = m.receiver_id,
        failure_class = case when m.state = 'failed' then m.error_class end
      -- In one order for everybody. By the attempt, not the delivery: a batch may also hold an attempt of the same delivery that lost its lease.
      from (select * from made order by delivery_id) m
      where d.id = m.delivery_id and d.lease_token = m.lease_token
      returning m.*, d.state as settled_as, d.next_attempt_at
    ), logged as (
      -- A lease is settled once, so these rows cannot be there yet; attempts that lost theirs follow below.
      insert into webhook_delivery_logs (${LOG_COLUMNS})
      select ${LOG_VALUES(sql`m.receiver_id`, sql`m.next_attempt_at`)} from settled m
    ), kept as (
      insert into webhook_delivery_log_bodies (${BODY_COLUMNS}) select ${BODY_VALUES} from settled m
    ), told as (
      insert into events (type, lead_id, client_user_id, data, created_at, enqueued_at, planned_at)
      select case m.state when 'delivered' then 'delivery.succeeded' else 'delivery.failed' end, m.lead_id,
        m.client_user_id, ${TOLD_DATA}, now(), now(), now()
      from settled m join leads l on l.id = m.lead_id
      where m.settled_as in ('delivered', 'failed')
    ), noted as (
      ${noteDays(sql`settled`)}
    )${switchesOff ? SWITCHED_OFF : sql``}${notesLate ? noteLateStarts(value('late')) : sql``}
    select log_id, next_attempt_at from settled`,
  )
const settle = settling({ switchesOff: false, notesLate: false })
const settleAndSwitchOff = settling({ switchesOff: true, notesLate: false })
const settleLate = settling({ switchesOff: false, notesLate: true })
const settleLateAndSwitchOff = settling({ switchesOff: true, notesLate: true })
