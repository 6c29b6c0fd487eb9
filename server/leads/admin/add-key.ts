import {
  MOST_SOURCE_KEYS,
  SOURCE_KEY_PREFIX,
  type createdSourceKeySchema,
} from '#core/contract/leads/source.ts'
import { countHoldingKeys, insertSourceKey } from '#core/data/leads/sources/source-keys.ts'
import { lockSource, readSource } from '#core/data/leads/sources/sources.ts'
import { AppError } from '#core/errors.ts'
import { mintAgain, mintSourceKey } from '#core/secrets/source-key.ts'
import type { z } from 'zod'
import type { ServerContext } from '../../context.ts'
import { createOnce } from '../../http/create-once.ts'
import { hashSourceKey } from '../../identity/find-source.ts'
import { auditChange, type By } from '../../market/audit-change.ts'

/** Enough characters to recognise a key, far too few to guess it. */
const SHOWN_CHARACTERS = SOURCE_KEY_PREFIX.length + 6

/** The part of a key that administrators see afterwards. */
export function showStart(key: string): string {
  return key.slice(0, SHOWN_CHARACTERS)
}

/**
 * Adds an API key to a source. The caller sees it once; only its hash is stored. Other keys stay valid until
 * they are revoked.
 * @throws AppError not_found, conflict
 */
export async function addKey(
  context: ServerContext,
  by: By,
  { sourceId, idempotencyKey }: { sourceId: string; idempotencyKey: string | undefined },
): Promise<z.output<typeof createdSourceKeySchema>> {
  const { user_id } = by.caller
  const keyOf = (id: string) => mintSourceKey(context.leads.sourceKeyKeys, id, idempotencyKey)
  let api_key = ''
  const { id } = await createOnce(
    context,
    { user_id, operation: 'source_key.create', key: idempotencyKey, content: sourceId },
    async (trx, newId) => {
      const source = await lockSource(trx, sourceId)
      if (source === undefined) throw new AppError('not_found', 'Source not found')
      if (source.stopped_at !== null)
        throw new AppError('conflict', 'This source was stopped. Create another one.')
      if ((await countHoldingKeys(trx, sourceId)) >= MOST_SOURCE_KEYS)
        throw new AppError(
          'conflict',
          `This source has ${MOST_SOURCE_KEYS} keys that hold. Revoke one of them first.`,
        )
      api_key = keyOf(newId)
      await insertSourceKey(trx, {
        id: newId,
        source_id: sourceId,
        key_hash: hashSourceKey(api_key),
        key_prefix: showStart(api_key),
        created_by: user_id,
      })
      const details = { source_id: sourceId, key_id: newId }
      await auditChange(trx, by, { action: 'source_key_added', details })
    },
  )
  const key = (await readSource(context.db, sourceId))?.keys.find((one) => one.id === id)
  if (key === undefined) throw new Error('A key that was added is gone')
  return {
    ...key,
    api_key: api_key === '' ? findKeyAgain(context, id, idempotencyKey, key.api_key_prefix) : api_key,
  }
}

/**
 * The key that an earlier request with this `Idempotency-Key` got.
 * @param start of the key, as it was stored
 * @throws AppError conflict if the key of SECRETS_KEY that it came from has been removed since
 */
export function findKeyAgain(
  { leads: { sourceKeyKeys } }: Pick<ServerContext, 'leads'>,
  id: string,
  idempotencyKey: string | undefined,
  start: string | undefined,
): string {
  const keys = idempotencyKey === undefined ? [] : mintAgain(sourceKeyKeys, id, idempotencyKey)
  const found = keys.find((key) => showStart(key) === start)
  if (found === undefined)
    throw new AppError('conflict', 'The key was made before and cannot be shown again. Make another one.')
  return found
}
