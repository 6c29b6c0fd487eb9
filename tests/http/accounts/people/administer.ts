import { createClient } from '@supabase/supabase-js'
import { issuerOf } from '#server/identity/access-token.ts'
import { signServiceToken } from '#server/identity/sign-service-token.ts'
import type { AuthContext } from '#server/accounts/auth-context.ts'
import { call, type AuthServer } from '../wire/start-auth-server.ts'

/** A key for programs that administer accounts, as `npm run service-key` prints it. */
export async function serviceKey(context: AuthContext): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  return await signServiceToken(context.identity.keys, { issuer: issuerOf(context), days: 1, now })
}

/** The unmodified client with that key. */
export async function newAdministrator(server: { context: AuthContext; url: string }) {
  const options = { auth: { persistSession: false, autoRefreshToken: false } }
  return createClient(new URL(server.url).origin, await serviceKey(server.context), options)
}

/** Administers a server, by the unmodified client and by bare requests with the service's key. */
export async function startAdministering(server: AuthServer) {
  const { admin } = (await newAdministrator(server)).auth
  const headers = {
    'X-Supabase-Api-Version': '2024-01-01',
    Authorization: `Bearer ${await serviceKey(server.context)}`,
  }
  return {
    admin,
    /** headers with the service's key, for bare requests */
    headers,
    createUser: async (attributes: Parameters<typeof admin.createUser>[0]) => {
      const { data, error } = await admin.createUser(attributes)
      if (error !== null) throw error
      return data.user
    },
    send: (method: string, path: string, body?: unknown) =>
      call(server, path, { method, body: JSON.stringify(body), headers }),
    /** The newest audit row about a user. */
    auditOf: (userId: string) => readNewestAudit(server, userId),
  }
}

export function readNewestAudit(server: AuthServer, userId: string) {
  return server.context.db
    .selectFrom('auth.audit_log')
    .select(['action', 'actor', 'actor_id', 'details'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
}
