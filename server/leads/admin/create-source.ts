import type { NewSource, Source } from '#core/contract/leads/source.ts'
import { hasProfile } from '#core/data/accounts/profiles.ts'
import { insertSource, readSource } from '#core/data/leads/sources/sources.ts'
import { AppError } from '#core/errors.ts'
import { mintSourceKey } from '#core/secrets/source-key.ts'
import { hashSourceKey } from '../../identity/find-source.ts'
import type { ServerContext } from '../../context.ts'
import { createOnce } from '../../http/create-once.ts'
import { auditChange, type By } from '../../market/audit-change.ts'
import { findKeyAgain, showStart } from './add-key.ts'

/** Creates a source and its API key. The caller sees the key once; only its hash is stored. */
export async function createSource(
  context: ServerContext,
  by: By,
  { source: given, idempotencyKey }: { source: NewSource; idempotencyKey: string | undefined },
): Promise<Source & { api_key: string }> {
  const owner = given.owner_user_id ?? null
  if (owner !== null && !(await hasProfile(context.db, owner))) {
    const errors = [{ path: 'owner_user_id', message: 'No account has this id' }]
    throw new AppError('validation_failed', 'The owner does not exist.', { errors })
  }
  const settings = { auto_assign: given.auto_assign ?? owner !== null, test_mode: given.test_mode ?? false }
  const { user_id } = by.caller
  const keyOf = (id: string) => mintSourceKey(context.leads.sourceKeyKeys, id, idempotencyKey)
  let api_key = ''
  const { id } = await createOnce(
    context,
    { user_id, operation: 'source.create', key: idempotencyKey, content: JSON.stringify(given) },
    async (trx, newId) => {
      api_key = keyOf(newId)
      await insertSource(trx, {
        id: newId,
        name: given.name,
        owner_user_id: owner,
        api_key_hash: hashSourceKey(api_key),
        api_key_prefix: showStart(api_key),
        created_by: user_id,
        ...settings,
      })
      const details = { source_id: newId, owner_user_id: owner, ...settings }
      await auditChange(trx, by, { action: 'source_created', details })
    },
  )
  const source = await readSource(context.db, id)
  if (source === undefined) throw new Error('A source that was created is gone')
  return {
    ...source,
    api_key:
      api_key === ''
        ? findKeyAgain(context, id, idempotencyKey, source.keys.at(-1)?.api_key_prefix)
        : api_key,
  }
}
