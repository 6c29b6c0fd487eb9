import { randomUUIDv7 } from 'node:crypto'
import type { Metadata } from '#core/data/auth-tables.ts'
import type { Account } from './data/accounts.ts'

/**
 * What a sign-up for a taken address is answered with: a user that looks newly made, but for its empty list of identities, by
 * which the client library knows. Nothing of the account that has the address is in it.
 */
export function imagineAccount(address: { email: string } | { phone: string }, data: Metadata): Account {
  const id = randomUUIDv7()
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
