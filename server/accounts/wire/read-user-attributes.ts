import { countCharacters } from '#core/domain/accounts/validate-password.ts'
import { z } from 'zod'
import { validationFailed } from './auth-error.ts'
import { hashPassword, type HashCost } from '../passwords/hash-password.ts'
import { isUuid } from '#server/identity/is-uuid.ts'
import { readEmail as readGivenEmail, readPhone as readGivenPhone } from './read-address.ts'
import { metadataSchema } from './read-body.ts'
import { readDuration } from './read-duration.ts'
import { readImportedHash } from '../passwords/read-imported-hash.ts'

/** The attributes that an administrator may set. Empty texts count as left out. */
export const userAttributesBody = z.object({
  id: z.string().default(''),
  email: z.string().default(''),
  phone: z.string().default(''),
  password: z.string().default(''),
  password_hash: z.string().default(''),
  email_confirm: z.boolean().default(false),
  phone_confirm: z.boolean().default(false),
  user_metadata: metadataSchema.optional(),
  app_metadata: metadataSchema.optional(),
  role: z.string().default(''),
  ban_duration: z.string().default(''),
})
export type UserAttributes = z.output<typeof userAttributesBody>

const LONGEST_PASSWORD = 128
/** A token with one of these roles acts for the service itself, so no person may have one. */
const RESERVED_ROLES = new Set(['service_role', 'supabase_admin', 'postgres'])

/** @throws AuthError validation_failed */
export function readUserId({ id }: UserAttributes): string | undefined {
  if (id === '') return undefined
  if (!isUuid(id) || /^[0-]+$/.test(id)) throw validationFailed('ID must conform to the uuid format')
  return id.toLowerCase()
}

/** The address, normalised and valid; undefined if none was given. @throws AuthError validation_failed */
export function readEmail({ email }: { email: string }): string | undefined {
  return email.trim() === '' ? undefined : readGivenEmail(email)
}

/** The phone as it is stored; undefined if none was given. @throws AuthError validation_failed */
export function readPhone({ phone }: { phone: string }): string | undefined {
  return phone.trim() === '' ? undefined : readGivenPhone(phone)
}

/** @throws AuthError validation_failed for the role of the service itself, and for an unusable role */
export function readRole({ role }: UserAttributes): string | undefined {
  if (role === '') return undefined
  if (RESERVED_ROLES.has(role) || !/^[a-z_][a-z0-9_]{0,62}$/.test(role))
    throw validationFailed('This role cannot be given to a user')
  return role
}

/** Seconds of the ban; null ends one, undefined leaves it. @throws AuthError validation_failed */
export function readBan({ ban_duration: ban }: UserAttributes): number | null | undefined {
  if (ban === '') return undefined
  if (ban === 'none') return null
  const seconds = readDuration(ban)
  if (seconds === undefined)
    throw validationFailed("Invalid format for ban duration, use a duration like '24h', or 'none'")
  return seconds
}

/** The hash of the given password, or the given hash. @throws AuthError validation_failed */
export async function readPasswordHash(given: UserAttributes, cost: HashCost): Promise<string | undefined> {
  if (given.password !== '' && given.password_hash !== '')
    throw validationFailed('Only a password or a password hash should be provided')
  if (given.password_hash !== '') return readImportedHash(given.password_hash)
  if (given.password === '') return undefined
  if (countCharacters(given.password) > LONGEST_PASSWORD)
    throw validationFailed(`Password cannot be longer than ${LONGEST_PASSWORD} characters`)
  return await hashPassword(given.password, cost)
}
