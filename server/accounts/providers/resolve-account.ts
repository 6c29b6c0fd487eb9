import { randomUUIDv7 } from 'node:crypto'
import type { Db } from '#core/data/database.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError, signupDisabled, userBanned } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { isUserBlocked } from '#server/identity/data/blocks.ts'
import { evictUnconfirmed } from '../people/data/evict-unconfirmed.ts'
import {
  insertIdentity,
  type Identity,
  findIdentity,
  lockIdentity,
  markIdentityUsed,
  refreshProviders,
} from '../people/data/identities.ts'
import {
  findUserByEmail,
  insertUser,
  updateUser,
  type User,
  lockUserAlone,
  markEmailConfirmed,
} from '../people/data/users.ts'
import { emailExists } from '../sign-up/explain-taken.ts'
import { chooseName } from '../sign-up/create-account.ts'
import { mergeIfItFits } from './merge-if-it-fits.ts'
import type { ProviderPerson } from './provider-person.ts'

/** The account that gets the session. A refusal is a value: what was written before it must be committed. */
export type Resolution =
  | { user_id: string }
  /** the account exists, but its address is unconfirmed: a mail asks for it */
  | { unconfirmed: { user_id: string; email: string } }
  | { refused: AuthError }

interface Newcomer {
  person: ProviderPerson
  caller: Caller
  /** of a company's single sign-on: separate from all accounts that share the address */
  isSso?: boolean
  /** the person needs no address */
  mayLackEmail?: boolean
}

/**
 * Finds or creates the account of a provider's person, in the caller's transaction. A verified address of an
 * existing account links to it. An unverified one never does, or anybody who can claim an address at some
 * provider could take over its account.
 */
export async function resolveAccount(
  context: Pick<AuthContext, 'config'>,
  db: Db,
  newcomer: Newcomer,
  isSecondTry = false,
): Promise<Resolution> {
  const { person } = newcomer
  await lockIdentity(db, person.provider, person.provider_id)
  const identity = await findIdentity(db, person.provider, person.provider_id)
  if (identity !== undefined) return await comeBack(context, db, newcomer, identity)
  const isApart = newcomer.isSso === true || person.email === null
  const found = isApart ? undefined : await findUserByEmail(db, person.email ?? '')
  const owner = found === undefined ? undefined : await lockUserAlone(db, found.id)
  if (owner !== undefined) return await joinAccount(db, newcomer, owner)
  const made = await makeAccount(context, db, newcomer)
  if (made !== undefined) return made
  // Another request took the address meanwhile: now there is an account to join.
  if (!isSecondTry) return await resolveAccount(context, db, newcomer, true)
  return { refused: emailExists() }
}

async function comeBack(
  context: Pick<AuthContext, 'config'>,
  db: Db,
  { person, caller }: Newcomer,
  identity: Identity,
): Promise<Resolution> {
  const user = await lockUserAlone(db, identity.user_id)
  if (user === undefined || (await isUserBlocked(db, identity.user_id))) return { refused: userBanned() }
  await markIdentityUsed(db, person.provider, person.provider_id, {
    email: person.email,
    identity_data: person.data,
  })
  const user_metadata = JSON.stringify(mergeIfItFits(user.user_metadata, person.data))
  await updateUser(db, user.id, { user_metadata })
  const { email } = user
  if (email === null || user.email_confirmed_at !== null || user.phone_confirmed_at !== null)
    return { user_id: user.id }
  if (person.isEmailVerified && person.email === email) {
    await evictUnconfirmed(db, user)
    await moveIn(db, { person, caller }, user.id)
    return { user_id: user.id }
  }
  if (!context.config.auth.email.autoconfirm) return { unconfirmed: { user_id: user.id, email } }
  await confirmEmail(db, user.id, caller)
  return { user_id: user.id }
}

/** Joins the account that already has the address. */
async function joinAccount(db: Db, { person, caller }: Newcomer, owner: User): Promise<Resolution> {
  if (!person.isEmailVerified) {
    const { provider } = person
    const message = `Unverified email with ${provider}. Verify the email with ${provider} in order to sign in`
    return { refused: new AuthError(422, 'provider_email_needs_verification', message) }
  }
  if (await isUserBlocked(db, owner.id)) return { refused: userBanned() }
  if (owner.email_confirmed_at === null) await evictUnconfirmed(db, owner)
  await moveIn(db, { person, caller }, owner.id)
  return { user_id: owner.id }
}

/** Adds the identity to an account whose address the provider has verified. */
async function moveIn(db: Db, { person, caller }: Newcomer, userId: string): Promise<void> {
  const user = await lockUserAlone(db, userId)
  if (user === undefined) throw new Error('an account vanished while its row was locked')
  await addIdentity(db, userId, person)
  const user_metadata = JSON.stringify(mergeIfItFits(user.user_metadata, person.data))
  await updateUser(db, userId, { user_metadata })
  if (user.email_confirmed_at === null) await confirmEmail(db, userId, caller)
  await refreshProviders(db, userId)
  await writeAudit(db, {
    action: 'identity_linked',
    user_id: userId,
    caller,
    details: { provider: person.provider, by: 'verified_email' },
  })
}

/** @returns undefined if the address is taken */
async function makeAccount(
  context: Pick<AuthContext, 'config'>,
  db: Db,
  newcomer: Newcomer,
): Promise<Resolution | undefined> {
  const { person, caller, isSso = false, mayLackEmail = false } = newcomer
  const { auth } = context.config
  if (auth.isSignupDisabled) return { refused: signupDisabled() }
  const { email, provider } = person
  if (email === null && !mayLackEmail) {
    const message = 'Error getting user email from external provider'
    return { refused: new AuthError(422, 'validation_failed', message) }
  }
  const id = randomUUIDv7()
  const isConfirmed = email !== null && (person.isEmailVerified || auth.email.autoconfirm)
  const isNew = await insertUser(db, {
    id,
    email,
    password_hash: null,
    isEmailConfirmed: isConfirmed,
    app_metadata: { provider, providers: [provider] },
    user_metadata: person.data,
    is_sso_user: isSso,
    profile: { name: chooseName(person.data, email), role: 'client' },
  })
  if (!isNew) return undefined
  await addIdentity(db, id, person)
  await writeAudit(db, { action: 'signed_up', user_id: id, caller, details: { provider } })
  return email === null || isConfirmed ? { user_id: id } : { unconfirmed: { user_id: id, email } }
}

/** Adds this provider's identity to the account. */
export async function addIdentity(db: Db, userId: string, person: ProviderPerson): Promise<void> {
  const { provider, provider_id, email, data } = person
  await insertIdentity(db, { user_id: userId, provider, provider_id, email, identity_data: data })
  await markIdentityUsed(db, provider, provider_id, { email, identity_data: data })
}

async function confirmEmail(db: Db, userId: string, caller: Caller): Promise<void> {
  await markEmailConfirmed(db, userId)
  await writeAudit(db, { action: 'email_confirmed', user_id: userId, caller })
}
