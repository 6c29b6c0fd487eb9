import { randomUUIDv7 } from 'node:crypto'
import type { Metadata } from '#core/data/schema/account-tables.ts'
import type { Account } from '../people/data/accounts.ts'

/**
 * The answer to a sign-up with a taken address: a user that looks newly made. Only its empty list of identities
 * differs, and the client library recognises it by that. It contains nothing of the account that has the address.
 * @param id of an account that waits for its first confirmation; else a random one
 */
export function imagineAccount(
  address: { email: string } | { phone: string },
  data: Metadata,
  id: string = randomUUIDv7(),
): Account {
  const now = new Date()
  const provider = 'email' in address ? 'email' : 'phone'
  const user: Account['user'] = {
    id,
    email: null,
    phone: null,
    ...address,
    password_hash: null,
    email_confirmed_at: null,
    phone_confirmed_at: null,
    role: 'authenticated',
    is_sso_user: false,
    confirmation_sent_at: now,
    invited_at: null,
    recovery_sent_at: null,
    reauthentication_sent_at: null,
    new_email: null,
    email_change_sent_at: null,
    email_change_confirmed: null,
    new_phone: null,
    phone_change_sent_at: null,
    app_metadata: { provider, providers: [provider] },
    user_metadata: { ...data, sub: id, ...address, email_verified: false, phone_verified: false },
    is_anonymous: false,
    last_sign_in_at: null,
    banned_until: null,
    deleted_at: null,
    created_at: now,
    updated_at: now,
  }
  return { user, identities: [], factors: [] }
}

/**
 * The account of a sign-up in progress: made just now, waiting since an earlier sign-up, or already owned.
 */
export interface Claim {
  id: string
  was: 'made' | 'waiting' | 'somebodys'
}

/**
 * The answer to a sign-up for an unconfirmed address. The caller proved nothing, and the account may be an invited
 * person's, with a phone and an administrator's words. So only its identity by that address is shown.
 */
export function showClaimed(
  account: Account,
  { id, was }: Claim,
  address: { email: string } | { phone: string },
  data: Metadata,
): Account {
  if (was === 'made') return account
  if (was === 'somebodys') return imagineAccount(address, data)
  const by = 'email' in address ? 'email' : 'phone'
  const identities = account.identities.filter(({ provider }) => provider === by)
  return { ...imagineAccount(address, data, id), identities }
}
