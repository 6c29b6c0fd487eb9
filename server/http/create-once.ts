import { createHash, randomUUIDv7 } from 'node:crypto'
import type { Transaction } from 'kysely'
import { claimIdempotencyKey } from '#core/data/outbox/idempotency-keys.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../context.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'

/**
 * Creates something once for an `Idempotency-Key`: a repeat gets the id of the first time. Without a key
 * every request is a new one.
 * @param request.content what must be the same for a repeat
 * @param request.id of an existing resource, if the request only acts on it
 * @param create makes the resource with the given id, in the transaction of the key. If it refuses, the key
 * stays unused; after a deadlock it runs again
 * @throws AppError idempotency_key_reused if the key came with another request before
 */
export async function createOnce(
  context: Pick<ServerContext, 'db'>,
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

/**
 * The ids of rows that are created together: the first, and those that follow it. So the first is enough to know them
 * again for a repeat.
 */
export function listIds(first: string, count: number): string[] {
  const number = BigInt(`0x${first.replaceAll('-', '')}`)
  return Array.from({ length: count }, (_, index) => {
    const digits = (number + BigInt(index)).toString(16).padStart(32, '0')
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  })
}
