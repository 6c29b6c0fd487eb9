import type { Account } from '../people/data/accounts.ts'
import type { Factor } from '../factors/data/factors.ts'
import type { Identity } from '../people/data/identities.ts'

/** The user as the wire shows it. Absent times are left out, and so are factors if there are none. */
export function describeUser({ user, identities, factors }: Account) {
  const emailConfirmedAt = user.email_confirmed_at?.toISOString()
  const phoneConfirmedAt = user.phone_confirmed_at?.toISOString()
  const [confirmedAt] = [emailConfirmedAt, phoneConfirmedAt].filter((at) => at !== undefined).toSorted()
  return {
    id: user.id,
    aud: 'authenticated',
    role: user.role,
    email: user.email ?? '',
    phone: user.phone ?? '',
    email_confirmed_at: emailConfirmedAt,
    phone_confirmed_at: phoneConfirmedAt,
    confirmed_at: confirmedAt,
    confirmation_sent_at: user.confirmation_sent_at?.toISOString(),
    invited_at: user.invited_at?.toISOString(),
    recovery_sent_at: user.recovery_sent_at?.toISOString(),
    reauthentication_sent_at: user.reauthentication_sent_at?.toISOString(),
    new_email: user.new_email ?? undefined,
    email_change_sent_at: user.email_change_sent_at?.toISOString(),
    new_phone: user.new_phone ?? undefined,
    phone_change_sent_at: user.phone_change_sent_at?.toISOString(),
    last_sign_in_at: user.last_sign_in_at?.toISOString(),
    app_metadata: user.app_metadata,
    user_metadata: user.user_metadata,
    identities: identities.map(describeIdentity),
    ...(factors.length === 0 ? {} : { factors: factors.map(describeFactor) }),
    created_at: user.created_at.toISOString(),
    updated_at: user.updated_at.toISOString(),
    banned_until: user.banned_until?.toISOString(),
    deleted_at: user.deleted_at?.toISOString(),
    is_anonymous: user.is_anonymous,
  }
}

export function describeIdentity(identity: Identity) {
  return {
    identity_id: identity.id,
    id: identity.provider_id,
    user_id: identity.user_id,
    identity_data: identity.identity_data,
    provider: identity.provider,
    last_sign_in_at: identity.last_sign_in_at?.toISOString(),
    created_at: identity.created_at.toISOString(),
    updated_at: identity.updated_at.toISOString(),
    email: identity.email ?? undefined,
  }
}

export function describeFactor(factor: Factor) {
  return {
    id: factor.id,
    created_at: factor.created_at.toISOString(),
    updated_at: factor.updated_at.toISOString(),
    status: factor.status,
    friendly_name: factor.friendly_name === '' ? undefined : factor.friendly_name,
    factor_type: factor.factor_type,
    phone: factor.phone ?? undefined,
    last_challenged_at: factor.last_challenged_at?.toISOString(),
  }
}
