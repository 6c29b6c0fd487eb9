import { sql, type SqlBool } from 'kysely'
import {
  ADJUSTMENT_DAYS,
  type AdjustmentKind,
  type PendingAdjustment,
} from '#core/contract/market/money/pending-adjustment.ts'
import { clientName } from '../../accounts/named-client.ts'
import type { Db } from '../../database.ts'
import { POSITION_FORMAT, type PagePosition } from '../../page.ts'

/** A stored adjustment; whether the reader may confirm it is judged by the caller. */
export type StoredAdjustment = Omit<PendingAdjustment, 'confirmable'> & {
  client_user_id: string
  asked_by_id: string
}

/** Stores an adjustment that waits for {@link ADJUSTMENT_DAYS}. @returns when it expires */
export async function insertAdjustment(
  trx: Db,
  adjustment: {
    id: string
    client_user_id: string
    kind: AdjustmentKind
    amount: string
    note: string
    asked_by: string
  },
): Promise<Date> {
  const { expires_at } = await trx
    .insertInto('pending_adjustments')
    .values({ ...adjustment, expires_at: sql<Date>`now() + make_interval(days => ${ADJUSTMENT_DAYS})` })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return expires_at
}

/** An adjustment with its client and the people who asked and decided. */
export async function findAdjustment(db: Db, id: string): Promise<StoredAdjustment | undefined> {
  const row = await select(db).where('a.id', '=', id).executeTakeFirst()
  return row && describe(row)
}

/** Locks an adjustment until the end of the transaction, so that it is decided once. */
export async function lockAdjustment(trx: Db, id: string): Promise<StoredAdjustment | undefined> {
  await trx.selectFrom('pending_adjustments').select('id').where('id', '=', id).forUpdate().execute()
  return await findAdjustment(trx, id)
}

/** Adjustments, newest first, with one more than `limit` if there are more. */
export async function listAdjustments(
  db: Db,
  { status }: { status?: PendingAdjustment['status'] | undefined },
  { limit, after }: { limit: number; after: PagePosition | undefined },
): Promise<Array<StoredAdjustment & { position: string }>> {
  const rows = await select(db)
    .select(sql<string>`to_char(a.created_at at time zone 'utc', ${sql.lit(POSITION_FORMAT)})`.as('position'))
    .$if(status !== undefined, (query) => query.where(statusNow, '=', status ?? 'pending'))
    .$if(after !== undefined, (query) =>
      query.where(sql<SqlBool>`(a.created_at, a.id) < (${after?.at}::timestamptz, ${after?.id}::uuid)`),
    )
    .orderBy('a.created_at', 'desc')
    .orderBy('a.id', 'desc')
    .limit(limit + 1)
    .execute()
  return rows.map((row) => ({ ...describe(row), position: row.position }))
}

/** Marks a locked adjustment as decided. */
export async function decideAdjustment(
  trx: Db,
  id: string,
  decision: { status: 'confirmed' | 'declined'; decided_by: string; decision_note: string },
): Promise<void> {
  await trx
    .updateTable('pending_adjustments')
    .set({ ...decision, decided_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

const statusNow = sql<PendingAdjustment['status']>`
  case when a.status = 'pending' and a.expires_at <= now() then 'expired' else a.status end`

function select(db: Db) {
  return db
    .selectFrom('pending_adjustments as a')
    .innerJoin('profiles as c', 'c.user_id', 'a.client_user_id')
    .leftJoin('profiles as p', 'p.user_id', 'a.asked_by')
    .leftJoin('profiles as d', 'd.user_id', 'a.decided_by')
    .select([
      'a.id',
      'a.client_user_id',
      'a.kind',
      'a.amount',
      'a.note',
      statusNow.as('status'),
      'a.created_at',
      'a.expires_at',
      'a.decided_at',
      'a.decision_note',
      'a.asked_by as asked_by_id',
      'c.email as client_email',
      clientName('c').as('client_name'),
      'p.email as asker_email',
      'p.name as asker_name',
      'a.decided_by as decided_by_id',
      'd.email as decider_email',
      'd.name as decider_name',
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>

function describe(row: Row): StoredAdjustment {
  const { id, client_user_id, asked_by_id, kind, amount, note, status, decision_note } = row
  return {
    id,
    client_user_id,
    asked_by_id,
    client: { user_id: client_user_id, email: row.client_email, name: row.client_name },
    kind,
    amount,
    note,
    status,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    asked_by: personOf(asked_by_id, row.asker_email, row.asker_name),
    decided_by: personOf(row.decided_by_id, row.decider_email, row.decider_name),
    decided_at: row.decided_at?.toISOString() ?? null,
    decision_note,
  }
}

function personOf(id: string | null, email: string | null, name: string | null) {
  return id === null || email === null ? null : { user_id: id, email, name }
}
