import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/** An issued statement: its number, and what it was issued with. */
export interface IssuedStatement {
  number: number
  timezone: string
  seller_name: string
  seller_address: string
  issued_at: Date
}

export async function findIssued(
  db: Db,
  { client, month }: { client: string; month: string },
): Promise<IssuedStatement | undefined> {
  return await db
    .selectFrom('statements')
    .select(['number', 'timezone', 'seller_name', 'seller_address', 'issued_at'])
    .where('client_user_id', '=', client)
    .where('month', '=', month)
    .executeTakeFirst()
}

/**
 * Issues a statement once, with the next number. Statements are issued one after the other, so that one that is rolled
 * back leaves no gap.
 */
export async function issueStatement(
  db: Db,
  of: { client: string; month: string },
  said: Pick<IssuedStatement, 'timezone' | 'seller_name' | 'seller_address'>,
): Promise<IssuedStatement> {
  return await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('statements'))`.execute(trx)
    const known = await findIssued(trx, of)
    if (known !== undefined) return known
    return await trx
      .insertInto('statements')
      .values({
        ...said,
        client_user_id: of.client,
        month: of.month,
        number: sql<number>`(select coalesce(max(number), 0) + 1 from statements)`,
      })
      .returning(['number', 'timezone', 'seller_name', 'seller_address', 'issued_at'])
      .executeTakeFirstOrThrow()
  })
}
