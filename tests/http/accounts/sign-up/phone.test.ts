import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import { NEW_VERSION, newEmail, post, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'
import { startFormServer, type FormServer } from '../wire/start-form-server.ts'

const TEST_PHONE = '15550001111'
const PHONES = { AUTH_PHONE_ENABLED: '1', AUTH_RATE_GAP_SECONDS: '0' }

let provider: FormServer
let server: AuthServer
let bare: AuthServer
let isDown = false
let thinking = Promise.resolve() // the provider's delay
beforeAll(async () => {
  provider = await startFormServer(async () => {
    await thinking
    return isDown
      ? { status: 400, body: { code: 21_211, message: 'The To number is not valid' } }
      : { status: 201, body: { sid: 'SM123' } }
  })
  server = await startAuthServer({
    ...PHONES,
    AUTH_SMS_PROVIDER: 'twilio',
    AUTH_SMS_ACCOUNT: 'AC1',
    AUTH_SMS_TOKEN: 'secret',
    AUTH_SMS_FROM: '+12125550100',
    AUTH_SMS_URL: provider.url,
  })
  bare = await startAuthServer({ ...PHONES, AUTH_TEST_OTP: `${TEST_PHONE}=123456` })
})
afterEach(() => {
  isDown = false
})
afterAll(() => Promise.all([server.close(), bare.close(), provider.close()]))

let count = 0
function newPhone() {
  count += 1
  return `1212555${String(1000 + count)}`
}

function lastMessage(phone: string) {
  const found = provider.forms.findLast(({ form }) => form['To'] === `+${phone}`)
  if (found === undefined) throw new Error('no message went to this phone')
  return { ...found, code: /\d{6}/.exec(found.form['Body'] ?? '')?.[0] ?? '' }
}

async function signUp(phone = newPhone(), password = PASSWORD) {
  const client = server.newClient()
  const answer = await client.signUp({ phone: `+${phone}`, password })
  await server.settled()
  return { client, phone, ...answer }
}

describe('sign-up by phone', () => {
  it('sends a code through the SMS provider; entering the code confirms the phone', async () => {
    const { client, phone, data, error } = await signUp()
    expect(error).toBeNull()
    expect(data).toMatchObject({
      session: null,
      user: { phone, email: '', identities: [{ provider: 'phone' }] },
    })
    const message = lastMessage(phone)
    expect(message.path).toBe('/2010-04-01/Accounts/AC1/Messages.json')
    expect(message.authorization).toBe(`Basic ${Buffer.from('AC1:secret').toString('base64')}`)
    expect(message.form).toMatchObject({ From: '+12125550100' })
    expect((await client.signInWithPassword({ phone, password: PASSWORD })).error).toMatchObject({
      status: 400,
      code: 'phone_not_confirmed',
      message: 'Phone not confirmed',
    })
    const verified = await client.verifyOtp({ phone: `+${phone}`, token: message.code, type: 'sms' })
    expect(verified.error).toBeNull()
    expect(verified.data.user).toMatchObject({
      phone,
      app_metadata: { provider: 'phone', providers: ['phone'] },
      user_metadata: { phone_verified: true },
    })
    expect((await client.signInWithPassword({ phone: `+${phone}`, password: PASSWORD })).error).toBeNull()
  })

  it('gives a taken phone the same answer as a new one, and sends its owner nothing', async () => {
    const { client, phone } = await signUp()
    await client.verifyOtp({ phone, token: lastMessage(phone).code, type: 'sms' })
    const sent = provider.forms.length
    const second = await signUp(phone, 'Other-Lantern-71')
    expect(second.data.user).toMatchObject({ phone, identities: [] })
    expect(provider.forms).toHaveLength(sent)
  })

  it('keeps a password only if it is the same at every sign-up', async () => {
    for (const [second, code] of [
      [PASSWORD, undefined],
      ['Intruder-Lantern-9', 'invalid_credentials'],
    ] as const) {
      const { client, phone } = await signUp()
      expect((await signUp(phone, second)).error).toBeNull()
      await client.verifyOtp({ phone, token: lastMessage(phone).code, type: 'sms' })
      for (const password of [PASSWORD, second])
        expect((await server.newClient().signInWithPassword({ phone, password })).error?.code).toBe(code)
    }
  })

  it('allows three wrong codes and no more', async () => {
    const { client, phone } = await signUp()
    const { code } = lastMessage(phone)
    const wrong = Array.from({ length: 20 }, (_, index) =>
      post(server, '/verify', {
        type: 'sms',
        phone,
        token: String((Number(code) + 1 + index) % 1_000_000).padStart(6, '0'),
      }),
    )
    expect((await Promise.all(wrong)).every(({ status }) => status === 403)).toBe(true)
    const { error } = await client.verifyOtp({ phone, token: code, type: 'sms' })
    expect(error).toMatchObject({ code: 'otp_expired', message: 'Token has expired or is invalid' })
  })

  it('sends the code again on request, only to unconfirmed phones', async () => {
    const { client, phone } = await signUp()
    const old = lastMessage(phone).code
    const again = await client.resend({ type: 'sms', phone })
    expect(again).toMatchObject({ error: null, data: { messageId: undefined } })
    await server.settled()
    const { code } = lastMessage(phone)
    const { error } = await client.verifyOtp({ phone, token: code, type: 'sms' })
    expect(error).toBeNull()
    expect((await client.verifyOtp({ phone, token: old, type: 'sms' })).error).not.toBeNull()
    const sent = provider.forms.length
    for (const other of [phone, newPhone()])
      expect((await post(server, '/resend', { type: 'sms', phone: other })).body).toEqual({})
    await server.settled()
    expect(provider.forms).toHaveLength(sent)
  })

  // The provider is asked only for unconfirmed phones, so its delay or answer would reveal which phones are
  // confirmed.
  it('answers a new phone and a resend without waiting for the provider, and without its message', async () => {
    const { phone: known } = await signUp()
    const { phone: taken, client: owner } = await signUp()
    await owner.verifyOtp({ phone: taken, token: lastMessage(taken).code, type: 'sms' })
    const { promise, resolve } = Promise.withResolvers<void>()
    thinking = promise
    isDown = true
    const sent = provider.forms.length
    const client = server.newClient()
    const answers = [
      await client.signUp({ phone: newPhone(), password: PASSWORD }),
      await client.signUp({ phone: taken, password: PASSWORD }),
      await client.resend({ type: 'sms', phone: known }),
      await client.resend({ type: 'sms', phone: taken }),
    ]
    expect(answers.map(({ error }) => error)).toEqual([null, null, null, null])
    expect(answers[2]?.data).toEqual(answers[3]?.data)
    resolve()
    await server.settled()
    isDown = false
    expect(provider.forms).toHaveLength(sent + 2)
  })

  it('reports that the provider refused, and the next try need not wait', async () => {
    const spaced = await startAuthServer({
      AUTH_PHONE_ENABLED: '1',
      AUTH_SMS_PROVIDER: 'twilio',
      AUTH_SMS_ACCOUNT: 'AC1',
      AUTH_SMS_TOKEN: 'secret',
      AUTH_SMS_FROM: '+12125550100',
      AUTH_SMS_URL: provider.url,
    })
    const phone = newPhone()
    const client = spaced.newClient()
    isDown = true
    const { error } = await client.signInWithOtp({ phone })
    isDown = false
    expect(error).toMatchObject({ status: 422, code: 'sms_send_failed' })
    expect(error?.message).not.toContain(phone)
    expect((await client.signInWithOtp({ phone })).error).toBeNull()
    const third = await client.signInWithOtp({ phone })
    expect(third.error).toMatchObject({ status: 429, code: 'over_sms_send_rate_limit' })
    await spaced.close()
  })

  it.each([
    [{ phone: '12', password: PASSWORD }, 400, 'Invalid phone number format (E.164 required)'],
    [{ phone: '+1212555abcd', password: PASSWORD }, 400, 'Invalid phone number format (E.164 required)'],
    [{ phone: '+12125550123' }, 400, 'Signup requires a valid password'],
    [
      {
        phone: '+12125550123',
        password: PASSWORD,
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 's256',
      },
      400,
      'PKCE not supported for phone signups',
    ],
    [
      { phone: '+12125550123', password: PASSWORD, channel: 'pigeon' },
      400,
      "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider.",
    ],
  ])('refuses %j', async (given, status, message) => {
    const answer = await post(server, '/signup', given, NEW_VERSION)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ message })
  })
})

describe('sign-in by a code', () => {
  it('creates an account for an unknown phone, by WhatsApp on request', async () => {
    const phone = newPhone()
    const client = server.newClient()
    const { data } = await client.signInWithOtp({ phone, options: { channel: 'whatsapp' } })
    expect(data.messageId).toBe('SM123')
    const message = provider.forms.findLast(({ form }) => form['To'] === `whatsapp:+${phone}`)
    expect(message?.form['From']).toBe('whatsapp:+12125550100')
    const code = /\d{6}/.exec(message?.form['Body'] ?? '')?.[0] ?? ''
    expect((await client.verifyOtp({ phone, token: code, type: 'sms' })).data.user?.phone).toBe(phone)
  })

  it('creates no account if that is not wanted', async () => {
    const { error } = await server
      .newClient()
      .signInWithOtp({ phone: newPhone(), options: { shouldCreateUser: false } })
    expect(error).toMatchObject({ status: 422, code: 'otp_disabled' })
  })

  it('is refused without a provider, except for test phones', async () => {
    const client = bare.newClient()
    expect((await client.signInWithOtp({ phone: newPhone() })).error).toMatchObject({
      status: 400,
      code: 'phone_provider_disabled',
      message: 'Unsupported phone provider',
    })
    expect((await client.signInWithOtp({ phone: TEST_PHONE })).error).toBeNull()
    const { data } = await client.verifyOtp({ phone: TEST_PHONE, token: '123456', type: 'sms' })
    expect(data.user?.phone).toBe(TEST_PHONE)
  })
})

describe('password sign-in by phone', () => {
  it('blocks after five wrong passwords, as with an address', async () => {
    const { client, phone } = await signUp()
    await client.verifyOtp({ phone, token: lastMessage(phone).code, type: 'sms' })
    for (let tried = 0; tried < 5; tried += 1)
      expect((await client.signInWithPassword({ phone, password: 'no' })).error?.code).toBe(
        'invalid_credentials',
      )
    expect((await client.signInWithPassword({ phone, password: PASSWORD })).error?.code).toBe(
      'over_request_rate_limit',
    )
  })

  it('accepts an address or a phone, not both', async () => {
    const given = { email: 'a@example.com', phone: newPhone(), password: PASSWORD }
    const { body } = await post(server, '/token?grant_type=password', given, NEW_VERSION)
    expect(body.message).toBe('Only an email address or phone number should be provided on login.')
  })
})

describe('a change of the phone', () => {
  async function begin() {
    const client = server.newClient()
    const { data } = await client.signUp({ email: newEmail(), password: PASSWORD })
    const phone = newPhone()
    const changed = await client.updateUser({ phone: `+${phone}` })
    expect(changed.data.user).toMatchObject({ phone: '', new_phone: phone })
    return { client, phone, user: data.user }
  }

  it('happens once the new phone’s code is entered', async () => {
    const { client, phone, user } = await begin()
    const { code } = lastMessage(phone)
    const { data, error } = await client.verifyOtp({ phone, token: code, type: 'phone_change' })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ id: user?.id, phone })
    expect(data.user?.new_phone).toBeUndefined()
    expect(data.user?.identities?.map(({ provider: name }) => name).toSorted()).toEqual(['email', 'phone'])
    expect(data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email', 'phone'] })
  })

  it('can be requested again', async () => {
    const { client, phone } = await begin()
    await client.resend({ type: 'phone_change', phone })
    await server.settled()
    const { code } = lastMessage(phone)
    expect((await client.verifyOtp({ phone, token: code, type: 'phone_change' })).error).toBeNull()
  })

  it('is refused for a taken phone', async () => {
    const { client: owner, phone } = await signUp()
    await owner.verifyOtp({ phone, token: lastMessage(phone).code, type: 'sms' })
    const { client } = await begin()
    expect((await client.updateUser({ phone })).error).toMatchObject({
      status: 422,
      code: 'phone_exists',
      message: 'A user with this phone number has already been registered',
    })
  })
})
