import { sql } from 'kysely'
import type { EntryType } from '#core/contract/market/money/ledger.ts'
import type { Statement } from '#core/contract/market/money/statement.ts'
import { clientName } from '../../accounts/named-client.ts'
import type { Db } from '../../database.ts'

/** The client of a statement; undefined if the account is no client's. */
export async function findStatementClient(
  db: Db,
  userId: string,
): Promise<{ user_id: string; email: string; name: string; timezone: string } | undefined> {
  return await db
    .selectFrom('client_accounts as a')
    .innerJoin('profiles as p', 'p.user_id', 'a.user_id')
    .select(['a.user_id', 'p.email', 'a.timezone'])
    .select(clientName('p').as('name'))
    .where('a.user_id', '=', userId)
    .executeTakeFirst()
}

/** The time of the first entry of a client's ledger. */
export async function findFirstEntry(db: Db, userId: string): Promise<Date | undefined> {
  const first = await db
    .selectFrom('balance_ledger')
    .select('created_at')
    .where('client_user_id', '=', userId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return first?.created_at
}

/** The sum of the entries of one kind, before or within a span. */
interface EntrySum {
  is_before: boolean
  entry_type: EntryType
  count: number
  amount: string
}

/** Sums what moved the balance `before` a span and, by kind, within it; lists the receipts of that span. */
export async function sumEntries(
  db: Db,
  userId: string,
  { begins, ends }: { begins: Date; ends: Date },
): Promise<Pick<Statement, 'sums' | 'receipts'> & { before: string[] }> {
  const { rows } = await sql<EntrySum>`
    select created_at < ${begins} as is_before, entry_type, count(*)::int as count, sum(amount)::numeric(14, 2)::text as amount
    from balance_ledger where client_user_id = ${userId} and created_at < ${ends} group by 1, 2 order by 2`.execute(
    db,
  )
  const receipts = await db
    .selectFrom('payments')
    .select(['id', 'method', 'amount', 'decided_at', 'receipt_number'])
    .where('client_user_id', '=', userId)
    .where('status', '=', 'received')
    .where('decided_at', '>=', begins)
    .where('decided_at', '<', ends)
    .orderBy('receipt_number')
    .execute()
  return {
    before: rows.filter((row) => row.is_before).map(({ amount }) => amount),
    sums: rows
      .filter((row) => !row.is_before)
      .map(({ entry_type, count, amount }) => ({ entry_type, count, amount })),
    receipts: receipts.flatMap(({ id, method, amount, decided_at: at, receipt_number: number }) =>
      at === null || number === null
        ? []
        : [{ payment_id: id, method, amount, received_at: at.toISOString(), receipt_number: number }],
    ),
  }
}
