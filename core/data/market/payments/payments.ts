import { sql, type Insertable, type Selectable, type SqlBool } from 'kysely'
import type { AdminPayment, Payment } from '#core/contract/market/money/payment.ts'
import { clientName } from '../../accounts/named-client.ts'
import type { Db } from '../../database.ts'
import { POSITION_FORMAT, type PagePosition } from '../../page.ts'
import type { PaymentsTable } from '../../schema/payment-tables.ts'
import { insertProviderEnds } from './provider-ends.ts'

const COLUMNS = [
  'payments.id',
  'payments.created_at',
  'payments.kind',
  'payments.method',
  'payments.amount',
  'payments.asked_amount',
  'payments.status',
  'payments.checkout_url',
  'payments.failure',
  'payments.decided_at',
  'payments.note',
  'payments.receipt_number',
  'payments.seller_name',
  'payments.seller_address',
  sql<string>`(select coalesce(sum(r.taken), 0.00) from payment_reversals r where r.payment_id = payments.id)`.as(
    'taken_back',
  ),
  sql<Payment['dispute']>`(select r.state from payment_reversals r
    where r.payment_id = payments.id and r.kind = 'dispute' and r.state <> 'warned'
    order by r.created_at desc, r.id limit 1)`.as('dispute'),
] as const

/** A payment, its client, and the provider's names for its page and for the money paid there. */
export interface StoredPayment {
  payment: Payment
  client_user_id: string
  provider_session_id: string | null
  provider_intent_id: string | null
  /** whether its payment method is to be stored */
  saves_method: boolean
  /** the amount in dollars that the provider reports, if it differs from the requested amount */
  told_amount: string | null
  /** the person who cancelled or decided it; null means the provider, or nobody yet */
  decided_by: string | null
}

export async function insertPayment(
  trx: Db,
  payment: Pick<
    Insertable<PaymentsTable>,
    | 'id'
    | 'client_user_id'
    | 'method'
    | 'amount'
    | 'saves_method'
    | 'told_amount'
    | 'provider_intent_id'
    | 'failure'
  >,
): Promise<void> {
  await trx.insertInto('payments').values(payment).execute()
}

/** Number of a client's waiting payments, and of those requested in the last hour. */
export async function countPayments(db: Db, userId: string): Promise<{ pending: number; recent: number }> {
  const { rows } = await sql<{ pending: number; recent: number }>`
    select (select count(*)::int from payments where client_user_id = ${userId} and status = 'pending' and kind = 'top_up') as pending,
      (select count(*)::int from payments
        where client_user_id = ${userId} and created_at > now() - interval '1 hour' and kind = 'top_up') as recent`.execute(
    db,
  )
  return rows[0] ?? { pending: 0, recent: 0 }
}

/**
 * A client's own payment; any client's if no client is given.
 * @param options.isLocked whether it is locked until the end of the transaction
 */
export async function findPayment(
  db: Db,
  id: string,
  { userId, isLocked = false }: { userId?: string; isLocked?: boolean } = {},
): Promise<StoredPayment | undefined> {
  const row = await db
    .selectFrom('payments')
    .select([
      ...COLUMNS,
      'payments.client_user_id',
      'payments.provider_session_id',
      'payments.provider_intent_id',
      'payments.saves_method',
      'payments.told_amount',
      'payments.decided_by',
    ])
    .where('payments.id', '=', id)
    .$if(userId !== undefined, (query) => query.where('payments.client_user_id', '=', userId ?? ''))
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { client_user_id, provider_session_id, provider_intent_id, saves_method, told_amount, decided_by } =
    row
  const names = { client_user_id, provider_session_id, provider_intent_id }
  return { payment: describe(row), ...names, saves_method, told_amount, decided_by }
}

/** The id of the payment with this intent of the provider. */
export async function findPaymentOfIntent(db: Db, intent: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('payments')
    .select('id')
    .where('provider_intent_id', '=', intent)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/**
 * @param change.isDecided whether it is settled now
 * @param change.whileIn changes it only in one of these states
 * @returns whether it was changed
 */
export async function changePayment(
  db: Db,
  id: string,
  change: Partial<
    Pick<
      Selectable<PaymentsTable>,
      | 'status'
      | 'amount'
      | 'asked_amount'
      | 'told_amount'
      | 'failure'
      | 'note'
      | 'decided_by'
      | 'provider_session_id'
      | 'provider_intent_id'
      | 'checkout_url'
    >
  > & {
    isDecided?: boolean
    whileIn?: readonly Payment['status'][]
  },
): Promise<boolean> {
  const { isDecided, whileIn, ...columns } = change
  const { numUpdatedRows: changed } = await db
    .updateTable('payments')
    .set({ ...columns, ...(isDecided === true && { decided_at: sql<Date>`now()` }) })
    .where('id', '=', id)
    .$if(whileIn !== undefined, (query) => query.where('status', 'in', whileIn ?? []))
    .executeTakeFirst()
  return changed > 0n
}

/**
 * Cancels a client's unpaid payments, and has their pages closed. Payments that are being charged, or that wait for an
 * administrator, continue.
 * @param by the person who cancels them
 */
export async function cancelWaiting(trx: Db, userId: string, by: string): Promise<void> {
  const cancelled = await trx
    .updateTable('payments')
    .set({ status: 'cancelled', decided_by: by, decided_at: sql<Date>`now()` })
    .where('client_user_id', '=', userId)
    .where('status', '=', 'pending')
    .where('kind', '=', 'top_up')
    .where('failure', 'is', null)
    .returning('provider_session_id')
    .execute()
  await insertProviderEnds(
    trx,
    cancelled.flatMap(({ provider_session_id: name }) => (name === null ? [] : [{ name, kind: 'page' }])),
  )
}

type Paged<Row> = Row & { position: string }

/** A client's payments, newest first, with one more than `limit` if there are more. */
export async function listPayments(
  db: Db,
  userId: string,
  page: { limit: number; after: PagePosition | undefined },
): Promise<Paged<Payment>[]> {
  const rows = await db
    .selectFrom('payments')
    .select([...COLUMNS, positionOf.as('position')])
    .where('client_user_id', '=', userId)
    .$if(page.after !== undefined, (query) => query.where(isAfter(page.after)))
    .orderBy('payments.created_at', 'desc')
    .orderBy('payments.id', 'desc')
    .limit(page.limit + 1)
    .execute()
  return rows.map((row) => ({ ...describe(row), position: row.position }))
}

/** All clients' payments, for administrators. */
export async function listAllPayments(
  db: Db,
  filter: { status?: Payment['status'] | undefined; disputed?: boolean | undefined },
  page: { limit: number; after: PagePosition | undefined },
): Promise<Paged<AdminPayment>[]> {
  const rows = await db
    .selectFrom('payments')
    .innerJoin('profiles', 'profiles.user_id', 'payments.client_user_id')
    .select([
      ...COLUMNS,
      'payments.told_amount',
      sql<Date | null>`(select r.due_by from payment_reversals r
        where r.payment_id = payments.id and r.kind = 'dispute' and r.state = 'open'
        order by r.due_by limit 1)`.as('due_by'),
      'profiles.user_id',
      'profiles.email',
      clientName('profiles').as('name'),
      positionOf.as('position'),
    ])
    .$if(filter.status !== undefined, (query) =>
      query.where('payments.status', '=', filter.status ?? 'pending'),
    )
    .$if(filter.disputed === true, (query) => query.where(isDisputed))
    .$if(page.after !== undefined, (query) => query.where(isAfter(page.after)))
    .orderBy('payments.created_at', 'desc')
    .orderBy('payments.id', 'desc')
    .limit(page.limit + 1)
    .execute()
  return rows.map(({ user_id, email, name, told_amount, due_by, ...row }) => ({
    ...describe(row),
    told_amount,
    dispute_due_by: due_by?.toISOString() ?? null,
    client: { user_id, email, name },
    position: row.position,
  }))
}

/** A client's waiting payments, newest first: a few at most. */
export async function listPending(db: Db, userId: string): Promise<Payment[]> {
  const rows = await db
    .selectFrom('payments')
    .select(COLUMNS)
    .where('client_user_id', '=', userId)
    .where('status', '=', 'pending')
    .orderBy('payments.created_at', 'desc')
    .orderBy('payments.id', 'desc')
    .limit(20)
    .execute()
  return rows.map((row) => describe(row))
}

const isDisputed = sql<SqlBool>`payments.id in (
  select payment_id from payment_reversals where kind = 'dispute' and state <> 'warned')`

const positionOf = sql<string>`to_char(payments.created_at at time zone 'utc', ${sql.lit(POSITION_FORMAT)})`

function isAfter(after: PagePosition | undefined) {
  return sql<SqlBool>`(payments.created_at, payments.id) < (${after?.at}::timestamptz, ${after?.id}::uuid)`
}

function describe(
  row: Omit<Payment, 'created_at' | 'decided_at' | 'seller'> & {
    created_at: Date
    decided_at: Date | null
    seller_name: string | null
    seller_address: string | null
  },
): Payment {
  const { id, kind, method, amount, asked_amount, status, checkout_url, failure, note, taken_back, dispute } =
    row
  return {
    id,
    created_at: row.created_at.toISOString(),
    kind,
    method,
    amount,
    asked_amount,
    status,
    // The link to a page that can no longer be paid is left out.
    checkout_url: status === 'pending' ? checkout_url : null,
    failure,
    decided_at: row.decided_at?.toISOString() ?? null,
    note,
    taken_back,
    dispute,
    receipt_number: row.receipt_number,
    seller:
      row.receipt_number === null ? null : { name: row.seller_name ?? '', address: row.seller_address ?? '' },
  }
}
