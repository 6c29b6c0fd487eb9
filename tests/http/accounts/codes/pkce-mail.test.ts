import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import { newAdministrator } from '../people/administer.ts'
import { openLink, readLinkMail } from './read-link-mail.ts'
import { NEW_VERSION, newEmail, post, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer({ AUTH_RATE_GAP_SECONDS: '0', AUTH_EMAIL_AUTOCONFIRM: '0' })
})
afterAll(() => server.close())

/** Requests a link for a confirmed user whose browser keeps a verifier. */
async function askForLink(path: '/otp' | '/recover' = '/otp') {
  const email = newEmail()
  await server.newClient().signUp({ email, password: PASSWORD })
  await openLink((await readLinkMail(server, email)).url)
  const verifier = randomBytes(48).toString('hex')
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  await post(server, path, { email, code_challenge, code_challenge_method: 's256' })
  return { email, verifier, mail: await readLinkMail(server, email) }
}

function trade(auth_code: string, code_verifier: string) {
  return post(server, '/token?grant_type=pkce', { auth_code, code_verifier }, NEW_VERSION)
}

describe('a link under PKCE', () => {
  it('signs up the unmodified client by a code that only its browser can exchange', async () => {
    const email = newEmail()
    const client = server.newClient('pkce')
    await client.signUp({ email, password: PASSWORD })
    const mail = await readLinkMail(server, email)
    expect(mail.linkToken).toMatch(/^pkce_/)
    const { query, fragment } = await openLink(mail.url)
    expect(fragment.has('access_token')).toBe(false)
    const { data, error } = await client.exchangeCodeForSession(query.get('code') ?? '')
    expect(error).toBeNull()
    expect(data.user?.email).toBe(email)
  })

  it.each([
    ['/otp', 'magiclink'],
    ['/recover', 'recovery'],
  ] as const)('of %s opens a session that records this method', async (path, method) => {
    const { mail, verifier } = await askForLink(path)
    const code = (await openLink(mail.url)).query.get('code') ?? ''
    const { status, body } = await trade(code, verifier)
    expect(status).toBe(200)
    const [, payload = ''] = body.access_token?.split('.') ?? []
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ amr: [{ method }] })
  })

  it('keeps the query of the page', async () => {
    const { email } = await askForLink()
    const redirect = `${new URL(server.url).origin}/dashboard?tab=leads`
    const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }
    await post(server, `/otp?redirect_to=${encodeURIComponent(redirect)}`, { email, ...challenge })
    const { query, page } = await openLink((await readLinkMail(server, email)).url)
    expect(page).toBe(`${new URL(server.url).origin}/dashboard`)
    expect(query.get('tab')).toBe('leads')
    expect((await trade(query.get('code') ?? '', 'x'.repeat(43))).status).toBe(200)
  })

  it('allows one try of its code, right or wrong', async () => {
    const { mail, verifier } = await askForLink()
    const code = (await openLink(mail.url)).query.get('code') ?? ''
    expect((await trade(code, 'wrong'.repeat(10))).body).toMatchObject({
      code: 'bad_code_verifier',
      message: 'code challenge does not match previously saved code verifier',
    })
    const { status, body } = await trade(code, verifier)
    expect(status).toBe(404)
    expect(body).toMatchObject({
      code: 'flow_state_not_found',
      message: 'invalid flow state, no valid flow state found',
    })
  })

  it('opens one session if its code is exchanged ten times at once', async () => {
    const { mail, verifier } = await askForLink()
    const code = (await openLink(mail.url)).query.get('code') ?? ''
    const answers = await Promise.all(Array.from({ length: 10 }, () => trade(code, verifier)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('gives a code that is valid for five minutes', async () => {
    const { mail, verifier } = await askForLink()
    const code = (await openLink(mail.url)).query.get('code') ?? ''
    await server.context.db
      .updateTable('auth.flows')
      .set({ code_issued_at: new Date(Date.now() - 301_000) })
      .execute()
    const { status, body } = await trade(code, verifier)
    expect(status).toBe(422)
    expect(body).toMatchObject({
      code: 'flow_state_expired',
      message: 'invalid flow state, flow state has expired',
    })
  })

  it('reports a failure in the query and in the fragment', async () => {
    const { mail } = await askForLink()
    await openLink(mail.url)
    const { query, fragment } = await openLink(mail.url)
    for (const members of [query, fragment]) {
      expect(members.get('error')).toBe('access_denied')
      expect(members.get('error_code')).toBe('otp_expired')
      expect(members.get('error_description')).toBe('Email link is invalid or has expired')
    }
  })

  it('needs both the code and the verifier', async () => {
    const { status, body } = await trade('', '')
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'validation_failed',
      message: 'invalid request: both auth code and code verifier should be non-empty',
    })
  })

  it('is refused to a user who was banned before the exchange', async () => {
    const { email, mail, verifier } = await askForLink()
    const code = (await openLink(mail.url)).query.get('code') ?? ''
    await server.context.db
      .updateTable('auth.users')
      .set({ banned_until: new Date(Date.now() + 60_000) })
      .where('email', '=', email)
      .execute()
    expect((await trade(code, verifier)).body).toMatchObject({ code: 'user_banned' })
  })

  it.each(['a sign-out everywhere', 'a new password', 'a ban', 'an erasure', 'a ban that is over'])(
    'is invalid after %s',
    async (end) => {
      const { email, mail, verifier } = await askForLink()
      const client = server.newClient()
      const { data } = await client.signInWithPassword({ email, password: PASSWORD })
      const { admin } = (await newAdministrator(server)).auth
      const id = data.user?.id ?? ''
      const code = (await openLink(mail.url)).query.get('code') ?? ''
      if (end === 'a sign-out everywhere') await client.signOut({ scope: 'global' })
      if (end === 'a new password') await client.updateUser({ password: 'Other-Lantern-71' })
      if (end.startsWith('a ban')) await admin.updateUserById(id, { ban_duration: '1h' })
      if (end === 'a ban that is over') await admin.updateUserById(id, { ban_duration: 'none' })
      if (end === 'an erasure') await admin.deleteUser(id, true)
      expect((await trade(code, verifier)).body).toMatchObject({ code: 'flow_state_not_found' })
    },
  )
})
