import { createHash, randomUUIDv7 } from 'node:crypto'
import type { Transaction } from 'kysely'
import { claimIdempotencyKey } from '#core/data/outbox/idempotency-keys.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../context.ts'
import { repeatOnConflict } from './database/repeat-on-conflict.ts'

/**
 * Creates something once for an `Idempotency-Key`: whoever repeats the request gets the id of the first time. Without a key
 * every request is a new one.
 * @param request.content what must be the same for a repeat
 * @param request.id of what exists already, where it is only acted on
 * @param create makes the resource under the id it is given, in the same transaction as the key; what it refuses leaves the
 * key unused, and what loses a deadlock is begun again
 * @throws AppError idempotency_key_reused when the key came with another request before
 */
export async function createOnce(
  context: ServerContext,
  request: { user_id: string; operation: string; key: string | undefined; content: string; id?: string },
  create: (trx: Transaction<Database>, id: string) => Promise<void>,
): Promise<{ id: string; isNew: boolean }> {
  const id = request.id ?? randomUUIDv7()
  const work = async (trx: Transaction<Database>): Promise<{ id: string; isNew: boolean }> => {
    if (request.key !== undefined) {
      const claim = await claimIdempotencyKey(trx, {
        user_id: request.user_id,
        operation: request.operation,
        key: request.key,
        fingerprint: createHash('sha256').update(request.content).digest(),
        resource_id: id,
      })
      if (claim.outcome === 'repeated') return { id: claim.resource_id, isNew: false }
      if (claim.outcome === 'reused_for_another_request') {
        const message = 'This Idempotency-Key was used for another request'
        throw new AppError('idempotency_key_reused', message, {
          errors: [{ path: 'Idempotency-Key', message }],
        })
      }
    }
    await create(trx, id)
    return { id, isNew: true }
  }
  return await repeatOnConflict(() => context.db.transaction().execute(work))
}
