import type { Db } from '#core/data/database.ts'
import { putIdentity } from './identities.ts'
import { updateUser, type User } from './users.ts'

/**
 * Makes an address or phone that its owner has proven the user's own: on the user, in its metadata, and as an
 * identity. An anonymous user becomes a permanent one.
 * @throws the database's error 23505 if another user has it
 */
export async function settleAddress(
  db: Db,
  user: User,
  provider: 'email' | 'phone',
  address: string,
): Promise<void> {
  const now = new Date()
  const isSame = user[provider] === address
  const confirmedAt = provider === 'email' ? user.email_confirmed_at : user.phone_confirmed_at
  const proven = isSame ? (confirmedAt ?? now) : now
  await updateUser(db, user.id, {
    ...(provider === 'email'
      ? { email: address, email_confirmed_at: proven }
      : { phone: address, phone_confirmed_at: proven }),
    is_anonymous: false,
    app_metadata: JSON.stringify(withProvider(user, provider)),
    user_metadata: JSON.stringify({
      ...user.user_metadata,
      [provider]: address,
      [`${provider}_verified`]: true,
    }),
  })
  await putIdentity(db, {
    user_id: user.id,
    provider,
    email: provider === 'email' ? address : null,
    identity_data: {
      sub: user.id,
      [provider]: address,
      email_verified: provider === 'email',
      phone_verified: provider === 'phone',
    },
  })
}

function withProvider({ app_metadata }: User, provider: string) {
  const listed = Array.isArray(app_metadata['providers']) ? (app_metadata['providers'] as unknown[]) : []
  const providers = listed.includes(provider) ? listed : [...listed, provider]
  return { ...app_metadata, provider: app_metadata['provider'] ?? provider, providers }
}
