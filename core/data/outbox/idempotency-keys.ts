import type { Db } from '../database.ts'

/** Whether a key is new, was used for the same request before, or for another request. */
export type IdempotencyClaim =
  | { outcome: 'new' }
  | { outcome: 'repeated'; resource_id: string }
  | { outcome: 'reused_for_another_request' }

/**
 * Claims a client's `Idempotency-Key` for one operation, in the caller's transaction. Of two concurrent claims, the
 * second waits for the first to commit and then finds its resource.
 * @param claim.fingerprint SHA-256 of the request
 * @param claim.resource_id the id that the new resource will get
 */
export async function claimIdempotencyKey(
  db: Db,
  claim: { user_id: string; operation: string; key: string; fingerprint: Buffer; resource_id: string },
): Promise<IdempotencyClaim> {
  const inserted = await db
    .insertInto('idempotency_keys')
    .values(claim)
    .onConflict((conflict) => conflict.columns(['user_id', 'operation', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst()
  if (inserted !== undefined) return { outcome: 'new' }
  const earlier = await db
    .selectFrom('idempotency_keys')
    .select(['resource_id', 'fingerprint'])
    .where('user_id', '=', claim.user_id)
    .where('operation', '=', claim.operation)
    .where('key', '=', claim.key)
    .executeTakeFirstOrThrow()
  return earlier.fingerprint.equals(claim.fingerprint)
    ? { outcome: 'repeated', resource_id: earlier.resource_id }
    : { outcome: 'reused_for_another_request' }
}
