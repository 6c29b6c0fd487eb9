import { sql, type Kysely } from 'kysely'

const TYPES = `'top_up', 'auto_recharge', 'promo_credit', 'manual_credit', 'manual_debit', 'lead_purchase', 'lead_return',
  'refund_out', 'chargeback', 'chargeback_reversal', 'correction'`
const CREDITS = `'top_up', 'auto_recharge', 'promo_credit', 'manual_credit', 'lead_return', 'chargeback_reversal'`

/** The ledger takes the entries `late_credit`, which put money in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await nameTypes(db, `${TYPES}, 'late_credit'`, `${CREDITS}, 'late_credit'`)
}

/** With such entries this fails: the ledger keeps what it holds. */
export async function down(db: Kysely<unknown>): Promise<void> {
  await nameTypes(db, TYPES, CREDITS)
}

/** Rows need not be read again: the new lists only add a type. */
async function nameTypes(db: Kysely<unknown>, types: string, credits: string): Promise<void> {
  await sql`
    alter table balance_ledger
      drop constraint if exists balance_ledger_entry_type_check, drop constraint if exists balance_ledger_check1,
      drop constraint if exists balance_ledger_types, drop constraint if exists balance_ledger_signs,
      add constraint balance_ledger_types check (entry_type in (${sql.raw(types)})) not valid,
      add constraint balance_ledger_signs check ((amount > 0) = (entry_type in (${sql.raw(credits)}))
        or entry_type = 'correction') not valid`.execute(db)
}
