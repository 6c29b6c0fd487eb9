import type { Db } from '../../database.ts'
import type { RevocationOrigin } from './write-revocation.ts'

/** A report that waits for an administrator, read under its lock; undefined if none of this id waits. */
export async function lockWaiting(
  trx: Db,
  id: string,
): Promise<(RevocationOrigin & { lead_ids: string[] }) | undefined> {
  return await trx
    .selectFrom('revocations')
    .select(['reported_by', 'reach', 'source_id', 'client_user_id', 'created_by', 'lead_ids'])
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .forUpdate()
    .executeTakeFirst()
}

/** Whether there is a revocation of this id. */
export async function isRevocation(db: Db, id: string): Promise<boolean> {
  return (
    (await db.selectFrom('revocations').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
  )
}
