import { sql } from 'kysely'
import { loadConfig } from '#core/config/config.ts'
import { loadSigningKeys } from '#server/identity/signing-keys.ts'
import { signAccessToken } from '#server/identity/access-token.ts'
import type { BenchContext } from '../services.ts'

/** An approved account, and an access token of its owner. */
export interface Listener {
  account: string
  token: string
}

/**
 * Makes accounts with a session each, in the database, because thousands of sign-ups would hash passwords for minutes.
 */
export async function makeListeners(
  { db, env }: BenchContext,
  url: string,
  count: number,
): Promise<Listener[]> {
  // The server's tokens name its address.
  const config = loadConfig({ ...env, PUBLIC_URL: url })
  const { rows } = await sql<{ account: string; session: string }>`
    with made as (
      insert into auth.users (id, email, email_confirmed_at)
      select id, id || '@example.com', now() from (select uuid_v7() as id from generate_series(1, ${count}::int)) ids
      returning id, email
    ), profiled as (
      insert into profiles (user_id, email, name) select id, email, 'Listener' from made
    )
    insert into auth.sessions (user_id, amr) select id, '[]' from made returning user_id as account, id as session
  `.execute(db)
  await sql`
    update client_accounts set status = 'active'
    where user_id = any(${rows.map(({ account }) => account)}::uuid[])`.execute(db)
  const keys = await loadSigningKeys(config)
  const now = Math.floor(Date.now() / 1000)
  return await Promise.all(
    rows.map(async ({ account, session }) => {
      const user = {
        id: account,
        email: `${account}@example.com`,
        phone: null,
        role: 'authenticated',
        app_metadata: {},
        user_metadata: {},
        is_anonymous: false,
      }
      const subject = { user, session: { id: session, aal: 'aal1', amr: [] } }
      const context = { config, identity: { keys } } as unknown as Parameters<typeof signAccessToken>[0]
      const { access_token: token } = await signAccessToken(context, subject, now)
      return { account, token }
    }),
  )
}
