import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { ServerContext } from '#server/context.ts'
import { issuerOf } from '#server/identity/access-token.ts'
import { signServiceToken } from '#server/identity/sign-service-token.ts'
import { PUBLIC_KEY } from '../support/invoke-function.ts'

export type StorageOf = SupabaseClient['storage']

/** The client library's storage with a person's token, a service key, or (undefined) nobody's. */
export function openStorage(url: string, token: string | undefined): StorageOf {
  return createClient(url, token ?? PUBLIC_KEY, {
    auth: { persistSession: false, autoRefreshToken: false },
    ...(token === undefined ? {} : { accessToken: () => Promise.resolve(token) }),
  }).storage
}

export async function makeServiceKey(context: ServerContext): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  return await signServiceToken(context.identity.keys, { issuer: issuerOf(context), days: 1, now })
}
