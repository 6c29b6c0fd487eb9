import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { RECOVERY_CHANNEL } from '#core/contract/accounts/recovery-codes.ts'
import { replaceRecoveryCodes } from '#server/accounts/factors/data/recovery-codes.ts'
import {
  macRecoveryCode,
  mintRecoveryCodes,
  readRecoveryCode,
} from '#server/accounts/factors/recovery-code.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { newPhone, other, readCode } from './phone-codes.ts'
import { call, post, signUpSomeone, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'

const FIXED_PHONE = '4915100000001'
const FIXED_CODE = '314159'

let server: AuthServer
let provider: Receiver
beforeAll(async () => {
  provider = await startReceiver()
  server = await startAuthServer({
    AUTH_MFA_PHONE: '1',
    AUTH_SMS_PROVIDER: 'twilio',
    AUTH_SMS_ACCOUNT: 'AC1',
    AUTH_SMS_TOKEN: 'token',
    AUTH_SMS_FROM: '+15550100',
    AUTH_SMS_URL: provider.url,
    AUTH_TEST_OTP: `${FIXED_PHONE}=${FIXED_CODE}`,
  })
})
afterAll(async () => {
  await server.close()
  await provider.close()
})
afterEach(() => provider.answerWith({ status: 201, body: '{"sid":"SM1"}' }))

function messagesTo(phone: string): string[] {
  return provider.requests
    .map(({ body }) => new URLSearchParams(body))
    .filter((form) => form.get('To') === `+${phone}`)
    .map((form) => form.get('Body') ?? '')
}

async function enrollPhone(phone: string) {
  provider.answerWith({ status: 201, body: '{"sid":"SM1"}' })
  const someone = await signUpSomeone(server)
  const { data, error } = await someone.client.mfa.enroll({
    factorType: 'phone',
    phone,
    friendlyName: 'Mine',
  })
  expect(error).toBeNull()
  return { ...someone, factorId: data?.id ?? '', enrolled: data }
}

/** Ends the required gap between two messages to one phone. */
async function endGaps(): Promise<void> {
  await server.context.db.deleteFrom('auth.send_gaps').execute()
}

describe('a phone as second factor', () => {
  it('gets a code that brings the session to aal2', async () => {
    const phone = newPhone()
    const { client, factorId, enrolled } = await enrollPhone(`+${phone}`)
    expect(enrolled).toEqual({ id: factorId, type: 'phone', friendly_name: 'Mine', phone })

    const challenge = await client.mfa.challenge({ factorId, channel: 'sms' })
    expect(challenge.data).toMatchObject({ type: 'phone' })
    expect(messagesTo(phone)).toHaveLength(1)
    const { data, error } = await client.mfa.verify({
      factorId,
      challengeId: challenge.data?.id ?? '',
      code: readCode(messagesTo(phone)[0]),
    })

    expect(error).toBeNull()
    const claims = decodeJwt(data?.access_token ?? '')
    expect(claims['aal']).toBe('aal2')
    expect((claims['amr'] as { method: string }[])[0]?.method).toBe('mfa/phone')
    expect((await client.mfa.listFactors()).data?.phone).toMatchObject([{ id: factorId, phone }])
  })

  it('gets the next code only after the gap', async () => {
    const phone = newPhone()
    const { client, factorId } = await enrollPhone(phone)
    await client.mfa.challenge({ factorId, channel: 'sms' })
    const second = await client.mfa.challenge({ factorId, channel: 'sms' })
    expect(second.error).toMatchObject({ status: 429, code: 'over_sms_send_rate_limit' })
    expect(second.error?.message).toMatch(/you can only request this after \d+ seconds/)
    expect(messagesTo(phone)).toHaveLength(1)

    await endGaps()
    expect((await client.mfa.challenge({ factorId, channel: 'sms' })).error).toBeNull()
  })

  it('gets no second message when another user or the same user enrols it again', async () => {
    const phone = newPhone()
    const first = await enrollPhone(phone)
    await first.client.mfa.challenge({ factorId: first.factorId, channel: 'sms' })
    await first.client.mfa.unenroll({ factorId: first.factorId })
    const again = await first.client.mfa.enroll({ factorType: 'phone', phone })
    const stranger = await enrollPhone(phone)

    for (const [client, factorId] of [
      [first.client, again.data?.id ?? ''],
      [stranger.client, stranger.factorId],
    ] as const)
      expect((await client.mfa.challenge({ factorId, channel: 'sms' })).error?.status).toBe(429)

    expect(messagesTo(phone)).toHaveLength(1)
  })

  it('allows three wrong codes, and then refuses the right one', async () => {
    const phone = newPhone()
    const { factorId, session, client } = await enrollPhone(phone)
    const { data } = await client.mfa.challenge({ factorId, channel: 'sms' })
    const right = readCode(messagesTo(phone)[0])
    const verify = (code: string) =>
      post(
        server,
        `/factors/${factorId}/verify`,
        { challenge_id: data?.id, code },
        { Authorization: `Bearer ${session.access_token}`, 'X-Supabase-Api-Version': '2024-01-01' },
      )
    const answers = await Promise.all(Array.from({ length: 8 }, () => verify(other(right))))
    const failed = answers.filter(({ body }) => body.message === 'Invalid MFA Phone code entered')
    expect(failed).toHaveLength(3)
    expect((await verify(right)).body.code).toBe('mfa_challenge_expired')
  })

  it('refuses the code of another challenge', async () => {
    const phone = newPhone()
    const { client, factorId } = await enrollPhone(phone)
    await client.mfa.challenge({ factorId, channel: 'sms' })
    await endGaps()
    const second = await client.mfa.challenge({ factorId, channel: 'sms' })
    const [first, latest] = messagesTo(phone).map(readCode)
    if (first !== latest) {
      const { error } = await client.mfa.verify({
        factorId,
        challengeId: second.data?.id ?? '',
        code: first ?? '',
      })
      expect(error?.code).toBe('mfa_verification_failed')
    }
    expect(
      (await client.mfa.verify({ factorId, challengeId: second.data?.id ?? '', code: latest ?? '' })).error,
    ).toBeNull()
  })

  it('has no readable code in the table', async () => {
    const phone = newPhone()
    const { client, factorId } = await enrollPhone(phone)
    await client.mfa.challenge({ factorId, channel: 'sms' })
    const rows = await server.context.db
      .selectFrom('auth.factor_challenges')
      .selectAll()
      .where('factor_id', '=', factorId)
      .execute()
    expect(rows[0]?.code_mac).toHaveLength(32)
    expect(JSON.stringify(rows)).not.toContain(readCode(messagesTo(phone)[0]))
  })

  it('can be replaced by a recovery code once it is lost, and gets no message', async () => {
    const phone = newPhone()
    const { client, factorId, session } = await enrollPhone(phone)
    const first = await client.mfa.challenge({ factorId, channel: 'sms' })
    await client.mfa.verify({
      factorId,
      challengeId: first.data?.id ?? '',
      code: readCode(messagesTo(phone)[0]),
    })
    const [code = ''] = mintRecoveryCodes()
    const { db, accounts } = server.context
    const mac = macRecoveryCode(accounts.codeKeys, session.user.id, readRecoveryCode(code) ?? '')
    await replaceRecoveryCodes(db, session.user.id, [mac])

    for (const [given, isRight] of [
      ['AAAAA-AAAAA', false],
      [code, true],
    ] as const) {
      const asked = { factorId, channel: RECOVERY_CHANNEL }
      const challenge = await client.mfa.challenge(asked)
      const { error } = await client.mfa.verify({
        factorId,
        challengeId: challenge.data?.id ?? '',
        code: given,
      })
      expect({ given, isRight: error === null }).toEqual({ given, isRight })
    }
    expect(messagesTo(phone)).toHaveLength(1)
  })

  it('has the configured code if it is a test phone, and gets no message', async () => {
    const { client, factorId } = await enrollPhone(FIXED_PHONE)
    const { data } = await client.mfa.challenge({ factorId, channel: 'sms' })
    expect(messagesTo(FIXED_PHONE)).toEqual([])
    const { error } = await client.mfa.verify({ factorId, challengeId: data?.id ?? '', code: FIXED_CODE })
    expect(error).toBeNull()
  })
})

describe('enrolment of a phone', () => {
  it('replaces an earlier one that was not verified', async () => {
    const phone = newPhone()
    const { client } = await enrollPhone(phone)
    expect((await client.mfa.enroll({ factorType: 'phone', phone, friendlyName: 'Mine' })).error).toBeNull()
    expect((await client.mfa.listFactors()).data?.all).toHaveLength(1)
  })

  it('refuses a phone that is already a factor', async () => {
    const phone = newPhone()
    const { client, factorId } = await enrollPhone(phone)
    const { data } = await client.mfa.challenge({ factorId, channel: 'sms' })
    const code = readCode(messagesTo(phone)[0])
    await client.mfa.verify({ factorId, challengeId: data?.id ?? '', code })
    const second = await client.mfa.enroll({ factorType: 'phone', phone, friendlyName: 'Again' })
    expect(second.error).toMatchObject({
      status: 422,
      code: 'mfa_verified_factor_exists',
      message: 'A verified phone factor already exists, unenroll the existing factor to continue',
    })
  })

  it.each([
    ['', 'Phone number required to enroll Phone factor'],
    ['0049151', 'Invalid phone number format (E.164 required)'],
    ['+49 (151) 1234', 'Invalid phone number format (E.164 required)'],
    ['1'.repeat(16), 'Invalid phone number format (E.164 required)'],
    ["'; drop table", 'Invalid phone number format (E.164 required)'],
  ])('refuses %j', async (phone, message) => {
    const { session } = await signUpSomeone(server)
    const answer = await post(
      server,
      '/factors',
      { factor_type: 'phone', phone },
      { Authorization: `Bearer ${session.access_token}`, 'X-Supabase-Api-Version': '2024-01-01' },
    )
    expect({ status: answer.status, ...answer.body }).toMatchObject({
      status: 400,
      code: 'validation_failed',
      message,
    })
  })
})

describe('a message that the provider refuses', () => {
  it('leaves no challenge behind, and the next challenge need not wait', async () => {
    const phone = newPhone()
    const { client, factorId } = await enrollPhone(phone)
    provider.answerWith(500)
    const failed = await client.mfa.challenge({ factorId, channel: 'sms' })
    expect(failed.error).toMatchObject({ status: 422, code: 'sms_send_failed' })
    expect(failed.error?.message).not.toContain(phone)
    const rows = await server.context.db
      .selectFrom('auth.factor_challenges')
      .select('id')
      .where('factor_id', '=', factorId)
      .execute()
    expect(rows).toEqual([])

    provider.answerWith({ status: 201, body: '{"sid":"SM1"}' })
    expect((await client.mfa.challenge({ factorId, channel: 'sms' })).error).toBeNull()
  })
})

it('refuses an unknown channel', async () => {
  const { factorId, session } = await enrollPhone(newPhone())
  const { status, body } = await call(server, `/factors/${factorId}/challenge`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${session.access_token}`, 'X-Supabase-Api-Version': '2024-01-01' },
    body: JSON.stringify({ channel: 'pigeon' }),
  })
  expect({ status, ...body }).toMatchObject({
    status: 400,
    message: "Invalid channel, supported values are 'sms' or 'whatsapp'",
  })
})

describe('a server without a message provider', () => {
  it('allows a phone to be enrolled but not challenged', async () => {
    const bare = await startAuthServer({ AUTH_MFA_PHONE: '1', AUTH_MFA_TOTP: '0' })
    try {
      const { client } = await signUpSomeone(bare)
      const { data } = await client.mfa.enroll({ factorType: 'phone', phone: newPhone() })
      const { error } = await client.mfa.challenge({ factorId: data?.id ?? '', channel: 'sms' })
      expect(error).toMatchObject({ status: 400, code: 'phone_provider_disabled' })
      expect((await client.mfa.enroll({ factorType: 'totp' })).error).toMatchObject({
        status: 422,
        code: 'mfa_totp_enroll_not_enabled',
        message: 'MFA enroll is disabled for TOTP',
      })
    } finally {
      await bare.close()
    }
  })
})
