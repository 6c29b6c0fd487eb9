import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import { readLinkMail } from './read-link-mail.ts'
import { signUpSomeone, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer({ AUTH_RATE_GAP_SECONDS: '0', AUTH_PASSWORD_REAUTHENTICATION: '1' })
})
afterAll(() => server.close())

const NEXT = 'Copper-Lantern-94'
const INVALID = {
  status: 422,
  code: 'reauthentication_not_valid',
  message: 'Nonce has expired or is invalid',
}

/** Signs a user up whose sign-in was the day before yesterday. */
async function signUpLongAgo() {
  const someone = await signUpSomeone(server)
  await server.context.db
    .updateTable('auth.sessions')
    .set({ created_at: new Date(Date.now() - 2 * 86_400_000) })
    .where('user_id', '=', someone.user.id)
    .execute()
  return someone
}

describe('reauthentication', () => {
  it('is required if a session older than a day changes the password', async () => {
    const { client } = await signUpLongAgo()
    expect((await client.updateUser({ password: NEXT })).error).toMatchObject({
      status: 400,
      code: 'reauthentication_needed',
      message: 'Password update requires reauthentication',
    })
    expect((await client.updateUser({ data: { a: 1 } })).error).toBeNull()
  })

  it('is not required of a new session', async () => {
    const { client } = await signUpSomeone(server)
    expect((await client.updateUser({ password: NEXT })).error).toBeNull()
  })

  it('mails a code without a link, which works once', async () => {
    const { client, email } = await signUpLongAgo()
    expect((await client.reauthenticate()).error).toBeNull()
    const mail = await readLinkMail(server, email)
    expect(mail).toMatchObject({ template: 'account_reauthentication', url: '' })
    expect((await client.updateUser({ password: NEXT, nonce: mail.code })).error).toBeNull()
    const { error } = await client.updateUser({ password: 'Silver-Lantern-37', nonce: mail.code })
    expect(error).toMatchObject(INVALID)
  })

  it('keeps its code valid if the present password was mistyped', async () => {
    const { client, email } = await signUpLongAgo()
    await client.reauthenticate()
    const { code: nonce } = await readLinkMail(server, email)
    const mistyped = await client.updateUser({ password: NEXT, nonce, current_password: 'Wrong-Lantern-58' })
    expect(mistyped.error).toMatchObject({ status: 400, code: 'current_password_invalid' })
    const { error } = await client.updateUser({ password: NEXT, nonce, current_password: PASSWORD })
    expect(error).toBeNull()
  })

  it("refuses another user's code, a wrong code, and the right code after three wrong ones", async () => {
    const { client, email } = await signUpLongAgo()
    const other = await signUpLongAgo()
    await other.client.reauthenticate()
    await client.reauthenticate()
    const theirs = await readLinkMail(server, other.email)
    const mine = await readLinkMail(server, email)
    const wrong = ['111111', '222222', '333333'].filter((code) => code !== mine.code)
    for (const nonce of [...wrong, theirs.code, mine.code].slice(-4))
      expect((await client.updateUser({ password: NEXT, nonce })).error).toMatchObject(INVALID)
  })

  it('never signs a user in by its code', async () => {
    const { client, email } = await signUpLongAgo()
    await client.reauthenticate()
    const { code } = await readLinkMail(server, email)
    const { error } = await server.newClient().verifyOtp({ email, token: code, type: 'email' })
    expect(error).toMatchObject({ code: 'otp_expired' })
  })
})
