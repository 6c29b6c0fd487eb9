import type { Account, Identity } from './data/accounts.ts'

/** The user as the wire shows it; absent times are left out. */
export function describeUser({ user, identities }: Account) {
  const confirmedAt = user.email_confirmed_at?.toISOString()
  return {
    id: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email ?? '',
    phone: '',
    email_confirmed_at: confirmedAt,
    confirmed_at: confirmedAt,
    last_sign_in_at: user.last_sign_in_at?.toISOString(),
    app_metadata: user.app_metadata,
    user_metadata: user.user_metadata,
    identities: identities.map(describeIdentity),
    created_at: user.created_at.toISOString(),
    updated_at: user.updated_at.toISOString(),
    is_anonymous: user.is_anonymous,
  }
}

function describeIdentity(identity: Identity) {
  return {
    identity_id: identity.id,
    id: identity.provider_id,
    user_id: identity.user_id,
    identity_data: identity.identity_data,
    provider: identity.provider,
    last_sign_in_at: identity.last_sign_in_at?.toISOString(),
    created_at: identity.created_at.toISOString(),
    updated_at: identity.updated_at.toISOString(),
    email: identity.identity_data['email'],
  }
}
