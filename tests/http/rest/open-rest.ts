import { createClient } from '@supabase/supabase-js'
import { createClient as createOldClient } from 'supabase-js-2-50'
import { PASSWORD } from '#tests/support/given/password.ts'
import { PUBLIC_KEY } from '../support/invoke-function.ts'
import type { Person, TestApp } from '../support/start-app.ts'

const OPTIONS = { auth: { persistSession: false, autoRefreshToken: false } }

/** The two versions of the client library that the tests use, unmodified. */
export const LIBRARIES = {
  '2.119': createClient,
  '2.50': createOldClient as unknown as typeof createClient,
} as const
export type Library = keyof typeof LIBRARIES

type Values = Record<string, unknown>
interface Schema {
  Tables: Record<string, { Row: Values; Insert: Values; Update: Values; Relationships: [] }>
  Views: Record<string, never>
  Functions: Record<string, { Args: Values; Returns: unknown }>
}
interface Tables {
  public: Schema
  auth: Schema
}
const open = (library: Library, url: string) => LIBRARIES[library]<Tables>(url, PUBLIC_KEY, OPTIONS)
export type RestClient = ReturnType<typeof open>

/** A client of the library in which this person has signed in; without one, nobody has. */
export async function openRest(app: TestApp, library: Library, person?: Person): Promise<RestClient> {
  const client = open(library, app.url)
  if (person !== undefined) {
    const { error } = await client.auth.signInWithPassword({ email: person.email, password: PASSWORD })
    if (error !== null) throw error
  }
  return client
}
