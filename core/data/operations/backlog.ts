import { sql } from 'kysely'
import { UNSOLD_COUNTED } from '#core/contract/operations/needs.ts'
import type { Db } from '../database.ts'
import { IS_OPEN } from '../leads/revocations/receipts.ts'

/** The work that waits for buyers and for administrators. Ages in seconds, 0 if nothing waits. */
export interface Backlog {
  /** leads that are held for sale, counted up to {@link UNSOLD_COUNTED} */
  unsold: number
  oldest_unsold: number
  /** payments that are neither received nor ended */
  payments: number
  oldest_payment: number
  /** payments that differ from the provider's records */
  differences: number
  /** clients and leads of revocations that are not acknowledged, and of these those past ten business days */
  open_revocations: number
  overdue_revocations: number
}

/** Each part reads an index of unfinished rows, or a table that holds no others. */
export async function readBacklog(db: Db): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select unsold.count as unsold, unsold.age as oldest_unsold, waiting.count as payments, waiting.age as oldest_payment,
      (select count(*)::int from payment_differences) as differences, open_revocations, overdue_revocations
    from (
      select count(*)::int as count, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as age
      from (select created_at from leads where status = 'unassigned' order by coalesce(expires_at, created_at)
        limit ${UNSOLD_COUNTED}) held
    ) unsold, (
      select count(*)::int as count, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as age
      from payments where status = 'pending'
    ) waiting, (
      select count(*)::int as open_revocations, count(*) filter (where due_at <= now())::int as overdue_revocations
      from revocation_holders h where ${IS_OPEN}
    ) revoked`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('PostgreSQL answered nothing')
  return row
}
