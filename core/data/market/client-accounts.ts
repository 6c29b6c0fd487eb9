import type { Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import {
  quietHoursSchema,
  type AccountNotices,
  type ClientAccount,
} from '#core/contract/market/client-account.ts'
import { readStored } from '#core/read-stored.ts'
import type { Db } from '../database.ts'
import type { ClientAccountsTable } from '../schema/market-tables.ts'
import { removeClientNotes } from './client-notes.ts'
import { insertProviderEnds } from './payments/provider-ends.ts'

const COLUMNS = [
  'user_id',
  'status',
  'business_name',
  'phone',
  'timezone',
  'npn',
  'licensed_states',
  'low_balance_threshold',
  'auto_recharge_enabled',
  'auto_recharge_threshold',
  'auto_recharge_amount',
  'auto_recharge_monthly_max',
  'auto_recharge_stopped',
  'notices',
  'quiet_hours',
  'version',
  'created_at',
  'updated_at',
] as const

const BESIDE = [
  lastAgreed<Date | null>('agreed_at').as('auto_recharge_agreed_at'),
  lastAgreed<string | null>('terms').as('auto_recharge_terms'),
  sql<string | null>`(select coalesce(c.method_label, 'saved card') from payment_customers c
    where c.client_user_id = client_accounts.user_id and c.method_id is not null)`.as('saved_method'),
] as const

/** SQL: a column of the client's last agreement, while the auto-recharge is on. */
function lastAgreed<Value>(column: 'agreed_at' | 'terms') {
  return sql<Value>`(select ${sql.ref(column)} from auto_recharge_agreements g
    where g.client_user_id = client_accounts.user_id and client_accounts.auto_recharge_enabled
    order by g.agreed_at desc, g.id desc limit 1)`
}

/** A client's account; administrators have none. */
export async function findClientAccount(db: Db, userId: string): Promise<ClientAccount | undefined> {
  const row = await db
    .selectFrom('client_accounts')
    .select([...COLUMNS, ...BESIDE])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row && describe(row)
}

/**
 * Like {@link findClientAccount}, but locked until the end of the transaction: other changes of the account and payment
 * requests wait.
 */
export async function lockClientAccount(trx: Db, userId: string): Promise<ClientAccount | undefined> {
  const row = await trx
    .selectFrom('client_accounts')
    .select([...COLUMNS, ...BESIDE])
    .where('user_id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row && describe(row)
}

/** Changes a locked account, and increments its version. */
export async function changeClientAccount(
  trx: Db,
  userId: string,
  change: Omit<Updateable<ClientAccountsTable>, 'version'>,
): Promise<ClientAccount> {
  const row = await trx
    .updateTable('client_accounts')
    .set({ ...change, version: sql<number>`version + 1`, updated_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .returning([...COLUMNS, ...BESIDE])
    .executeTakeFirstOrThrow()
  return describe(row)
}

/** Whether the account's personal data was erased: it buys and pays nothing any more. */
export async function isErased(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('auth.users')
    .select('id')
    .where('id', '=', userId)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Removes the personal data from an erased account, and has the provider remove the card; purchases and payments stay.
 */
export async function eraseClientAccount(trx: Db, userId: string): Promise<void> {
  await trx
    .updateTable('client_accounts')
    .set({
      business_name: null,
      phone: null,
      npn: null,
      licensed_states: [],
      skipped_setup_steps: [],
      notices: '{}',
      quiet_hours: null,
      terms_ip: null,
      auto_recharge_enabled: false,
      updated_at: sql<Date>`now()`,
    })
    .where('user_id', '=', userId)
    .execute()
  await removeClientNotes(trx, userId)
  const kept = await trx
    .deleteFrom('payment_customers')
    .where('client_user_id', '=', userId)
    .returning('method_id')
    .execute()
  await insertProviderEnds(
    trx,
    kept.flatMap(({ method_id: name }) => (name === null ? [] : [{ name, kind: 'method' }])),
  )
}

type Row = Pick<Selectable<ClientAccountsTable>, (typeof COLUMNS)[number]> & {
  auto_recharge_agreed_at: Date | null
  auto_recharge_terms: string | null
  saved_method: string | null
}

/** The choice of each kind of mail, with its default. */
export function readNotices(stored: Readonly<Record<string, unknown>>): AccountNotices {
  const isOn = (notice: keyof AccountNotices): boolean => stored[notice] !== false
  const isChosen = (notice: keyof AccountNotices): boolean => stored[notice] === true
  return {
    low_balance: isOn('low_balance'),
    out_of_funds: isOn('out_of_funds'),
    payments: isOn('payments'),
    returns: isOn('returns'),
    new_leads: isChosen('new_leads'),
    lead_contacts: isChosen('lead_contacts'),
    caps: isChosen('caps'),
    weekly_digest: isChosen('weekly_digest'),
    exports: isOn('exports'),
  }
}

function describe(row: Row): ClientAccount {
  return {
    ...row,
    notices: readNotices(row.notices),
    quiet_hours:
      row.quiet_hours === null ? null : readStored(quietHoursSchema, row.quiet_hours, 'quiet hours'),
    auto_recharge_agreed_at: row.auto_recharge_agreed_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
