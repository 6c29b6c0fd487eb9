import { PASSWORD } from '#tests/support/given/password.ts'
import { newEmail, type AuthServer } from '../wire/start-auth-server.ts'

/** Signs a user up who must confirm the address by mail and is then sent to `redirect`. */
export async function signUpAt(at: AuthServer, email = newEmail(), password = PASSWORD) {
  const client = at.newClient()
  const redirect = `${new URL(at.url).origin}/dashboard`
  const answer = await client.signUp({ email, password, options: { emailRedirectTo: redirect } })
  return { client, email, redirect, ...answer }
}
