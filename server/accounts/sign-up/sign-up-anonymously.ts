import { randomUUIDv7 } from 'node:crypto'
import type { Metadata } from '#core/data/schema/account-tables.ts'
import type { AuthContext } from '../auth-context.ts'
import type { Caller } from '#server/identity/caller.ts'
import { mergeMetadata } from '../people/clean-metadata.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { insertUser } from '../people/data/users.ts'
import type { LiveSession } from '../sessions/describe-session.ts'
import { chooseName } from './create-account.ts'
import { startSession } from '../sessions/start-session.ts'

/**
 * Creates an account that nobody can sign in to again until an address, a phone or a provider is added to it.
 */
export async function signUpAnonymously(
  context: AuthContext,
  data: Metadata,
  caller: Caller,
): Promise<LiveSession> {
  const id = randomUUIDv7()
  const user_metadata = mergeMetadata({}, data)
  return await context.db.transaction().execute(async (trx) => {
    await insertUser(trx, {
      id,
      email: null,
      password_hash: null,
      isEmailConfirmed: false,
      app_metadata: {},
      user_metadata,
      is_anonymous: true,
      profile: { name: chooseName(user_metadata, null), role: 'client' },
    })
    await writeAudit(trx, { action: 'signed_up', user_id: id, caller, details: { method: 'anonymous' } })
    return await startSession(trx, id, { method: 'anonymous' }, caller)
  })
}
