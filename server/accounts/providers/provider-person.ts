import { z } from 'zod'
import type { Metadata } from '#core/data/schema/account-tables.ts'
import { normaliseEmail, validateEmail } from '#core/domain/accounts/validate-email.ts'

/** A person as the provider describes them. */
export const providerPersonSchema = z.object({
  /** name of the identity's provider: `google`, `sso:<id>`, `web3`, … */
  provider: z.string(),
  /** the provider's own id of the person */
  provider_id: z.string(),
  /** normalised and valid; null if the provider gives none */
  email: z.string().nullable(),
  /** the provider vouches that the address is the person's */
  isEmailVerified: z.boolean(),
  /** the stored part of the provider's words, in the wire's names */
  data: z.record(z.string(), z.unknown()),
})
export type ProviderPerson = z.infer<typeof providerPersonSchema>

const LONGEST_TEXT = 200
const LONGEST_URL = 500

interface ProviderWords {
  provider: string
  provider_id: string
  issuer: string
  email: unknown
  isEmailVerified: boolean
  name?: unknown
  user_name?: unknown
  picture?: unknown
}

/**
 * Brings a provider's words into the wire's form. Access tokens carry them, so their length is limited;
 * longer ones are left out.
 */
export function describePerson(words: ProviderWords): ProviderPerson {
  const { provider, provider_id } = words
  const email = readAddress(words.email)
  const isEmailVerified = email !== null && words.isEmailVerified
  const name = readText(words.name, LONGEST_TEXT)
  const userName = readText(words.user_name, LONGEST_TEXT)
  const picture = readText(words.picture, LONGEST_URL)
  const data: Metadata = {
    iss: words.issuer,
    sub: provider_id,
    provider_id,
    ...(name === undefined ? {} : { name, full_name: name }),
    ...(userName === undefined ? {} : { user_name: userName, preferred_username: userName }),
    ...(picture === undefined ? {} : { picture, avatar_url: picture }),
    ...(email === null ? {} : { email }),
    email_verified: isEmailVerified,
    phone_verified: false,
  }
  return { provider, provider_id, email, isEmailVerified, data }
}

function readAddress(given: unknown): string | null {
  if (typeof given !== 'string') return null
  const email = normaliseEmail(given)
  return validateEmail(email).length === 0 ? email : null
}

function readText(given: unknown, longest: number): string | undefined {
  if (typeof given !== 'string' || given === '' || given.length > longest || given.includes('\0'))
    return undefined
  return given.isWellFormed() ? given : undefined
}
