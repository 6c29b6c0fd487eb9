import { sql, type RawBuilder } from 'kysely'
import type { EntryType } from '#core/contract/market/money/ledger.ts'
import type { Movement } from '#core/contract/market/money/market-money.ts'
import { clientName } from '../../accounts/named-client.ts'
import type { Db } from '../../database.ts'

/** Selects entries of the ledger: of one client or of all, of one kind or all, in a half-open span of time. */
export interface MovementFilter {
  client?: string | undefined
  type?: EntryType | undefined
  begins?: Date | undefined
  ends?: Date | undefined
}

/** Entries take their ids in order, but their times are those at which their transactions began. */
const DISORDER_MS = 15 * 60_000
/** The search ends at so few ids: PostgreSQL passes over them faster than it answers once more. */
const FEW_IDS = 500n

/**
 * Entries of the ledger of all clients.
 * @param page.beyond the id of the last entry of the page before
 */
export async function listMovements(
  db: Db,
  filter: MovementFilter,
  page: { limit: number; beyond: string | undefined; order: 'newest' | 'oldest' },
): Promise<Movement[]> {
  const isNewest = page.order === 'newest'
  const conditions = [await within(db, filter)]
  if (filter.client !== undefined) conditions.push(sql`e.client_user_id = ${filter.client}`)
  if (filter.type !== undefined) conditions.push(sql`e.entry_type = ${filter.type}`)
  if (page.beyond !== undefined)
    conditions.push(isNewest ? sql`e.id < ${page.beyond}::bigint` : sql`e.id > ${page.beyond}::bigint`)
  const { rows } = await sql<Omit<Movement, 'created_at' | 'client'> & StoredClient & { created_at: Date }>`
    /* planned for its values */ select e.id::text as id, e.created_at, e.entry_type, e.amount, e.balance_after, e.note,
      coalesce(a.lead_id, r.lead_id) as lead_id,
      p.user_id, p.email, ${clientName('p')} as name
    from (
      select * from balance_ledger e where ${sql.join(conditions, sql` and `)}
      order by e.id ${sql.raw(isNewest ? 'desc' : 'asc')} limit ${page.limit}
    ) e
    join profiles p on p.user_id = e.client_user_id
    left join lead_assignments a on a.id = case e.reference_type when 'assignment' then e.reference_id::uuid end
    left join lead_returns r on r.id = case e.reference_type when 'return' then e.reference_id::uuid end
    order by e.id ${sql.raw(isNewest ? 'desc' : 'asc')}`.execute(db)
  return rows.map(({ user_id, email, name, created_at, ...entry }) => ({
    ...entry,
    created_at: created_at.toISOString(),
    client: { user_id, email, name },
  }))
}

interface StoredClient {
  user_id: string
  email: string
  name: string
}

/**
 * SQL on `e`: the entries of a span. The ledger has no index of times, because each sale would write it; entries of all
 * clients are found by the ids that the span's entries may have.
 */
export async function within(db: Db, { client, begins, ends }: MovementFilter): Promise<RawBuilder<unknown>> {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (begins !== undefined) conditions.push(sql`e.created_at >= ${begins}`)
  if (ends !== undefined) conditions.push(sql`e.created_at < ${ends}`)
  if (client === undefined && begins !== undefined)
    conditions.push(sql`e.id >= ${await findIdBefore(db, new Date(begins.getTime() - DISORDER_MS))}::bigint`)
  if (client === undefined && ends !== undefined)
    conditions.push(sql`e.id <= ${await findIdAfter(db, new Date(ends.getTime() + DISORDER_MS))}::bigint`)
  return sql.join(conditions, sql` and `)
}

const findIdBefore = async (db: Db, at: Date): Promise<string> => String((await searchIds(db, at)).low)
const findIdAfter = async (db: Db, at: Date): Promise<string> => String((await searchIds(db, at)).high)

/** A binary search by the primary key: entries up to `low` are earlier than `at`, those from `high` on are not. */
async function searchIds(db: Db, at: Date): Promise<{ low: bigint; high: bigint }> {
  const { rows } = await sql<{
    last: string | null
  }>`select max(id)::text as last from balance_ledger`.execute(db)
  let low = 0n
  let high = BigInt(rows[0]?.last ?? '0') + 1n
  while (high - low > FEW_IDS) {
    const middle = (low + high) / 2n
    const { rows: found } = await sql<{ is_earlier: boolean }>`
      select created_at < ${at} as is_earlier from balance_ledger where id >= ${String(middle)}::bigint order by id limit 1`.execute(
      db,
    )
    if (found[0]?.is_earlier === true) low = middle
    else high = middle
  }
  return { low, high }
}
