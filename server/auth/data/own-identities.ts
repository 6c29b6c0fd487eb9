import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'
import { updateUser, type User } from './accounts.ts'

/**
 * Makes an address or phone that its owner has proven the user's own: on the user, in its metadata, and as a way in. Whoever
 * was anonymous is so no longer.
 * @throws the database's error 23505 when somebody else has it
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
  const identity_data = {
    sub: user.id,
    [provider]: address,
    email_verified: provider === 'email',
    phone_verified: provider === 'phone',
  }
  await sql`
    insert into auth.identities as i (user_id, provider, provider_id, email, identity_data)
    values (${user.id}, ${provider}, ${user.id}, ${provider === 'email' ? address : null}, ${JSON.stringify(identity_data)})
    on conflict (provider, provider_id) do update set
      email = excluded.email, identity_data = i.identity_data || excluded.identity_data, updated_at = now()`.execute(
    db,
  )
}

function withProvider({ app_metadata }: User, provider: string) {
  const listed = Array.isArray(app_metadata['providers']) ? (app_metadata['providers'] as unknown[]) : []
  const providers = listed.includes(provider) ? listed : [...listed, provider]
  return { ...app_metadata, provider: app_metadata['provider'] ?? provider, providers }
}
