import type { Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { ClientAccount } from '#core/contract/market/client-account.ts'
import type { Db } from '../database.ts'
import type { ClientAccountsTable } from '../schema/market-tables.ts'

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
  'notices',
  'version',
  'created_at',
  'updated_at',
] as const

/** A client's account; administrators have none. */
export async function findClientAccount(db: Db, userId: string): Promise<ClientAccount | undefined> {
  const row = await db
    .selectFrom('client_accounts')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row && describe(row)
}

/** The same, held until the end of the transaction: who else changes it, or asks for a payment, waits. */
export async function lockClientAccount(trx: Db, userId: string): Promise<ClientAccount | undefined> {
  const row = await trx
    .selectFrom('client_accounts')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row && describe(row)
}

/** Changes a locked account; its version counts on. */
export async function changeClientAccount(
  trx: Db,
  userId: string,
  change: Omit<Updateable<ClientAccountsTable>, 'version'>,
): Promise<ClientAccount> {
  const row = await trx
    .updateTable('client_accounts')
    .set({ ...change, version: sql<number>`version + 1`, updated_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return describe(row)
}

/** Takes the person out of an account that is erased; what was bought and paid stays. */
export async function eraseClientAccount(trx: Db, userId: string): Promise<void> {
  await trx
    .updateTable('client_accounts')
    .set({ business_name: null, phone: null, npn: null, terms_ip: null, updated_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .execute()
}

function describe(row: Pick<Selectable<ClientAccountsTable>, (typeof COLUMNS)[number]>): ClientAccount {
  const isOn = (notice: string): boolean => row.notices[notice] !== false
  return {
    ...row,
    notices: {
      low_balance: isOn('low_balance'),
      out_of_funds: isOn('out_of_funds'),
      payments: isOn('payments'),
    },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
