import { createClient } from '@supabase/supabase-js'
import { issuerOf } from '#server/auth/keys/access-token.ts'
import { signServiceToken } from '#server/auth/keys/sign-service-token.ts'
import type { AuthContext } from '#server/auth/auth-context.ts'

/** A key for programs that administer accounts, as `npm run service-key` prints it. */
export async function serviceKey(context: AuthContext): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  return await signServiceToken(context.keys, { issuer: issuerOf(context), days: 1, now })
}

/** The unmodified client with that key. */
export async function newAdministrator(server: { context: AuthContext; url: string }) {
  const options = { auth: { persistSession: false, autoRefreshToken: false } }
  return createClient(new URL(server.url).origin, await serviceKey(server.context), options)
}
