import { sql, type Updateable } from 'kysely'
import type { LeadType, NewLeadType } from '#core/contract/market/lead-price.ts'
import type { Db } from '../database.ts'
import type { LeadTypesTable } from '../schema/market-tables.ts'

interface StoredType {
  code: string
  label: string
  price: string
  floor_price: string
  orders: number
  late_credit: boolean
  updated_at: Date
}

/** All lead types, or one, sorted by their labels. */
export async function listLeadTypes(db: Db, code?: string): Promise<LeadType[]> {
  const { rows } = await sql<StoredType>`
    select t.code, t.label, t.price, t.floor_price, t.late_credit, t.updated_at,
      (select count(*)::int from orders o where o.lead_type = t.code and o.deleted_at is null) as orders
    from lead_types t where ${code ?? null}::text is null or t.code = ${code ?? null}
    order by t.label, t.code`.execute(db)
  return rows.map((row) => ({ ...row, updated_at: row.updated_at.toISOString() }))
}

/** @returns false if there is one with this code */
export async function insertLeadType(trx: Db, type: Omit<NewLeadType, 'note'>): Promise<boolean> {
  const result = await trx
    .insertInto('lead_types')
    .values(type)
    .onConflict((conflict) => conflict.column('code').doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/**
 * A lead type with its prices, locked until the end of the transaction, so that two changes of a price come one after
 * the other.
 */
export async function lockLeadType(
  trx: Db,
  code: string,
): Promise<{ label: string; price: string; floor_price: string; late_credit: boolean } | undefined> {
  return await trx
    .selectFrom('lead_types')
    .select(['label', 'price', 'floor_price', 'late_credit'])
    .where('code', '=', code)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Late leads are credited only if they were sold after that was switched on. */
export async function changeLeadType(
  trx: Db,
  code: string,
  change: Pick<Updateable<LeadTypesTable>, 'label' | 'price' | 'floor_price' | 'late_credit'>,
): Promise<void> {
  await trx
    .updateTable('lead_types')
    .set({
      ...change,
      ...(change.late_credit === true && {
        late_credit_since: sql<Date>`case when late_credit then late_credit_since else now() end`,
      }),
      updated_at: sql<Date>`now()`,
    })
    .where('code', '=', code)
    .execute()
}
