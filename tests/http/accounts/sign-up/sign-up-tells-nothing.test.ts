import { afterAll, beforeAll, expect, it } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import { startAdministering } from '../people/administer.ts'
import { openLink, readLinkMail } from '../codes/read-link-mail.ts'
import { newEmail, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'

const PHONE = '15550001111'

let server: AuthServer
let administration: Awaited<ReturnType<typeof startAdministering>>
beforeAll(async () => {
  server = await startAuthServer({
    AUTH_EMAIL_AUTOCONFIRM: '0',
    AUTH_PHONE_ENABLED: '1',
    AUTH_RATE_GAP_SECONDS: '0',
    AUTH_TEST_OTP: `${PHONE}=123456`,
  })
  administration = await startAdministering(server)
})
afterAll(() => server.close())

/** Returns the answer to a stranger who signs up with a known address or phone. */
async function comeAsStranger(known: { email: string } | { phone: string }) {
  const { data, error } = await server.newClient().signUp({ ...known, password: 'Strangers-Choice-58' })
  expect(error).toBeNull()
  return data.user
}

it('signing up with an invited address does not reveal the invitation, which stays valid', async () => {
  const email = newEmail()
  const { data } = await administration.admin.inviteUserByEmail(email, { data: { case: 'Acme 4711' } })
  const { url } = await readLinkMail(server, email)
  const told = await comeAsStranger({ email })
  expect(told).toMatchObject({ email, identities: [] })
  expect(told?.id).not.toBe(data.user?.id)
  expect(told?.invited_at).toBeUndefined()
  expect(JSON.stringify(told)).not.toContain('Acme')
  expect((await openLink(url)).fragment.get('type')).toBe('invite')
})

it('signing up with an unconfirmed phone reveals neither address nor name of its account', async () => {
  const email = newEmail()
  const known = { email, phone: PHONE, password: PASSWORD, email_confirm: true }
  const { id } = await administration.createUser({ ...known, user_metadata: { name: 'Ada Example' } })
  const told = await comeAsStranger({ phone: PHONE })
  expect(told).toMatchObject({ phone: PHONE, email: '', identities: [] })
  expect(told?.id).not.toBe(id)
  expect(JSON.stringify(told)).not.toMatch(/Ada|example\.com/)
})

it('signing up with an unconfirmed address reveals neither phone nor plan of its account', async () => {
  const email = newEmail()
  const phone = '15550002222'
  await administration.createUser({ email, phone, app_metadata: { plan: 'gold' } })
  const told = await comeAsStranger({ email })
  expect(told).toMatchObject({ email, phone: '', identities: [{ provider: 'email' }] })
  expect(JSON.stringify(told)).not.toMatch(/gold|15550002222/)
})
