import { randomBytes } from 'node:crypto'
import { SOURCE_KEY_PREFIX, type NewSource, type Source } from '#core/contract/leads/source.ts'
import { readMe } from '#core/data/accounts/profiles.ts'
import { insertSource } from '#core/data/leads/sources.ts'
import { AppError } from '#core/errors.ts'
import { hashSourceKey } from '../identity/find-source.ts'
import type { ServerContext } from '../context.ts'
import { auditChange, type By } from '../market/audit-change.ts'

const KEY_BYTES = 32
/** Enough of a key to recognise it, far too little to guess it. */
const SHOWN_CHARACTERS = SOURCE_KEY_PREFIX.length + 6

/** Creates a source and its API key, which is shown this once and stored as a hash. */
export async function createSource(
  context: ServerContext,
  by: By,
  given: NewSource,
): Promise<Source & { api_key: string }> {
  const owner = given.owner_user_id ?? null
  if (owner !== null && (await readMe(context.db, owner)) === undefined) {
    const errors = [{ path: 'owner_user_id', message: 'No account has this id' }]
    throw new AppError('validation_failed', 'The owner does not exist.', { errors })
  }
  const key = SOURCE_KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url')
  const settings = { auto_assign: given.auto_assign ?? owner !== null, test_mode: given.test_mode ?? false }
  const source = await context.db.transaction().execute(async (trx) => {
    const inserted = await insertSource(trx, {
      name: given.name,
      owner_user_id: owner,
      api_key_hash: hashSourceKey(key),
      api_key_prefix: key.slice(0, SHOWN_CHARACTERS),
      created_by: by.caller.user_id,
      ...settings,
    })
    const details = { source_id: inserted.id, owner_user_id: owner, ...settings }
    await auditChange(trx, by, { action: 'source_created', details })
    return inserted
  })
  return { ...source, api_key: key }
}
