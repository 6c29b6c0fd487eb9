import { randomUUIDv7 } from 'node:crypto'
import type { Db } from '#core/data/database.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError, validationFailed } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { refuseUnfitMetadata } from './clean-metadata.ts'
import { readAccount, type Account } from './data/accounts.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { putIdentity } from './data/identities.ts'
import { findUserByEmail, findUserByPhone, insertUser } from './data/users.ts'
import {
  readBan,
  readEmail,
  readPasswordHash,
  readPhone,
  readRole,
  readUserId,
  type UserAttributes,
} from '../wire/read-user-attributes.ts'
import { emailExists } from '../sign-up/explain-taken.ts'
import type { Administrator } from '../guards/require-service.ts'
import { chooseName } from '../sign-up/create-account.ts'
import { banUser } from './update-user-by-admin.ts'

/**
 * Creates an account on behalf of a person: unconfirmed by default, and without a mail. The password rules
 * are for people who choose their own; an administrator's choice is accepted.
 * @throws AuthError validation_failed, email_exists, phone_exists
 */
export async function createUserByAdmin(
  context: AuthContext,
  given: UserAttributes,
  administrator: Administrator,
  caller: Caller,
): Promise<Account> {
  const id = readUserId(given) ?? randomUUIDv7()
  const [email, phone] = [readEmail(given) ?? null, readPhone(given) ?? null]
  if (email === null && phone === null)
    throw validationFailed('Cannot create a user without either an email or phone')
  const [role, ban] = [readRole(given), readBan(given)]
  const user_metadata = given.user_metadata ?? {}
  const providers = [...(email === null ? [] : ['email']), ...(phone === null ? [] : ['phone'])]
  const app_metadata = { provider: providers[0], providers, ...given.app_metadata }
  refuseUnfitMetadata(user_metadata)
  refuseUnfitMetadata(app_metadata)
  const password_hash = (await readPasswordHash(given, context.config.auth.password.hashCost)) ?? null

  return await context.db.transaction().execute(async (trx) => {
    const isNew = await insertUser(trx, {
      id,
      email,
      phone,
      password_hash,
      isEmailConfirmed: email !== null && given.email_confirm,
      isPhoneConfirmed: phone !== null && given.phone_confirm,
      user_metadata,
      app_metadata,
      ...(role === undefined ? {} : { role }),
      profile: { name: chooseName(user_metadata, email), role: 'client' },
    })
    if (!isNew) await refuseTaken(trx, { email, phone })
    const verified = { email_verified: given.email_confirm, phone_verified: given.phone_confirm }
    if (email !== null)
      await putIdentity(trx, {
        user_id: id,
        provider: 'email',
        email,
        identity_data: { sub: id, email, ...verified },
      })
    if (phone !== null)
      await putIdentity(trx, {
        user_id: id,
        provider: 'phone',
        email: null,
        identity_data: { sub: id, phone, ...verified },
      })
    if (ban !== undefined && ban !== null) await banUser(trx, id, ban)
    await writeAudit(trx, { action: 'user_created', user_id: id, ...administrator, caller })
    return await readAccount(trx, id)
  })
}

/** Names the value that another account has. @throws AuthError always */
async function refuseTaken(
  db: Db,
  { email, phone }: { email: string | null; phone: string | null },
): Promise<never> {
  if (email !== null && (await findUserByEmail(db, email)) !== undefined) throw emailExists()
  if (phone !== null && (await findUserByPhone(db, phone)) !== undefined)
    throw new AuthError(422, 'phone_exists', 'Phone number already registered by another user')
  throw new AuthError(409, 'conflict', 'A user with this id already exists')
}
