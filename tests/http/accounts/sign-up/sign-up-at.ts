import { PASSWORD } from '#tests/support/given/password.ts'
import { newEmail, type AuthServer } from '../wire/start-auth-server.ts'

/** Signs somebody up who is to confirm the address by mail, and is to be led to `redirect` then. */
export async function signUpAt(at: AuthServer, email = newEmail(), password = PASSWORD) {
  const client = at.newClient()
  const redirect = `${new URL(at.url).origin}/dashboard`
  const answer = await client.signUp({ email, password, options: { emailRedirectTo: redirect } })
  return { client, email, redirect, ...answer }
}
