import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { authenticate } from '#server/identity/authenticate.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { enrollTotp, listFactorAudit } from './enroll-totp.ts'
import {
  NEW_VERSION,
  post,
  signUpSomeone,
  startAuthServer,
  type AuthServer,
} from '../wire/start-auth-server.ts'
import { showCode, waitForRoomInStep } from './totp-app.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server.close())

const bearer = (token: string) => ({ Authorization: `Bearer ${token}`, ...NEW_VERSION })

async function refresh(token: string) {
  return await server.newClient().refreshSession({ refresh_token: token })
}

describe('enrolment of an authenticator app', () => {
  it('shows the secret once, as text, as a URI and as a QR code', async () => {
    const { client, email } = await signUpSomeone(server)
    const { data, error } = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'My phone' })
    expect(error).toBeNull()
    expect(data).toMatchObject({ type: 'totp', friendly_name: 'My phone' })
    const totp = data?.type === 'totp' ? data.totp : { secret: '', uri: '', qr_code: '' }
    expect(totp.secret).toMatch(/^[A-Z2-7]{32}$/)
    const uri = new URL(totp.uri)
    expect(uri.protocol + uri.host).toBe('otpauth:totp')
    expect(decodeURIComponent(uri.pathname)).toBe(`/${new URL(server.url).host.replace(':', ' ')}:${email}`)
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({
      secret: totp.secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
    expect(totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^]*<\/svg>$/)

    const { data: listed } = await client.mfa.listFactors()
    expect(listed?.all).toHaveLength(1)
    expect(listed?.totp).toEqual([])
    expect(JSON.stringify(listed)).not.toContain(totp.secret)
  })

  it('stores the secret encrypted', async () => {
    const { client } = await signUpSomeone(server)
    const { factorId, secret } = await enrollTotp(client)
    const row = await server.context.db
      .selectFrom('auth.factors')
      .selectAll()
      .where('id', '=', factorId)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(secret)
    expect(server.context.secrets.open(row.secret_sealed ?? '')).toBe(secret)
  })

  it('shows the requested issuer, without its colons', async () => {
    const { session } = await signUpSomeone(server)
    const body = { factor_type: 'totp', issuer: 'Evil: Corp' }
    const answer = await post(server, '/factors', body, bearer(session.access_token))
    const { totp } = z.object({ totp: z.object({ uri: z.url() }) }).parse(answer.body)
    expect(new URL(totp.uri).searchParams.get('issuer')).toBe('Evil  Corp')
  })

  it('refuses a second factor of the same name, even without a name', async () => {
    const { client } = await signUpSomeone(server)
    await enrollTotp(client, 'Phone')
    const same = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
    expect(same.error).toMatchObject({
      status: 422,
      code: 'mfa_factor_name_conflict',
      message: 'A factor with the friendly name "Phone" for this user already exists',
    })
    await enrollTotp(client, '')
    expect((await client.mfa.enroll({ factorType: 'totp' })).error?.code).toBe('mfa_factor_name_conflict')
  })

  it('allows ten factors, and removes unverified ones after five minutes', async () => {
    const { client, user } = await signUpSomeone(server)
    for (let number = 1; number <= 10; number += 1) await enrollTotp(client, `Factor ${number}`)
    const eleventh = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'One more' })
    expect(eleventh.error).toMatchObject({
      status: 422,
      code: 'too_many_enrolled_mfa_factors',
      message: 'Maximum number of verified factors reached, unenroll to continue',
    })

    await server.context.db
      .updateTable('auth.factors')
      .set({ created_at: new Date(Date.now() - 301_000) })
      .where('user_id', '=', user.id)
      .execute()

    expect((await client.mfa.listFactors()).data?.all).toEqual([])
    await enrollTotp(client, 'Factor 1')
    expect((await client.mfa.listFactors()).data?.all).toHaveLength(1)
  })

  it('treats ten simultaneous enrolments of one name as one', async () => {
    const { session, client } = await signUpSomeone(server)
    const body = { factor_type: 'totp', friendly_name: 'Same' }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(server, '/factors', body, bearer(session.access_token))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body: { code } }) => code === 'mfa_factor_name_conflict')).toHaveLength(9)
    expect((await client.mfa.listFactors()).data?.all).toHaveLength(1)
  })

  it.each([
    [{}, 400, 'validation_failed', 'factor_type needs to be totp or phone'],
    [{ factor_type: 'webauthn' }, 400, 'validation_failed', 'factor_type needs to be totp or phone'],
    [
      { factor_type: 'phone', phone: '4915112345678' },
      422,
      'mfa_phone_enroll_not_enabled',
      'MFA enroll is disabled for Phone',
    ],
    [
      { factor_type: 'totp', friendly_name: 'x'.repeat(101) },
      400,
      'validation_failed',
      'friendly_name and issuer may have at most 100 characters',
    ],
    [
      { factor_type: 'totp', friendly_name: '\u0000' },
      400,
      'validation_failed',
      'The request contains characters that cannot be stored (friendly_name: Must not contain a NUL character)',
    ],
  ])('refuses %j', async (body, status, code, message) => {
    const { session } = await signUpSomeone(server)
    const answer = await post(server, '/factors', body, bearer(session.access_token))
    expect({ status: answer.status, ...answer.body }).toMatchObject({ status, code, message })
  })
})

describe('the right code', () => {
  it('brings the session to aal2, keeps its id, and verifies the factor', async () => {
    const { client, session, user } = await signUpSomeone(server)
    const { factorId, secret } = await enrollTotp(client)
    expect((await client.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: 'aal1',
      nextLevel: 'aal1',
    })

    const events: string[] = []
    client.onAuthStateChange((event) => void events.push(event))
    const challenge = await client.mfa.challenge({ factorId })
    expect(challenge.data?.expires_at).toBeGreaterThan(Date.now() / 1000 + 290)
    const code = showCode(secret)
    const { data, error } = await client.mfa.verify({
      factorId,
      challengeId: challenge.data?.id ?? '',
      code: ` ${code.slice(0, 3)} ${code.slice(3)} `,
    })

    expect(error).toBeNull()
    expect(data).toMatchObject({ token_type: 'bearer', user: { id: user.id } })
    expect(events).toContain('MFA_CHALLENGE_VERIFIED')
    const before = decodeJwt(session.access_token)
    const after = decodeJwt(data?.access_token ?? '')
    expect(after['session_id']).toBe(before['session_id'])
    expect(after['aal']).toBe('aal2')
    expect((after['amr'] as { method: string }[]).map(({ method }) => method)).toEqual(['totp', 'password'])
    expect((await client.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: 'aal2',
      nextLevel: 'aal2',
    })
    expect((await client.mfa.listFactors()).data?.totp).toMatchObject([
      { id: factorId, status: 'verified', factor_type: 'totp' },
    ])
    expect(await authenticate(server.context, `Bearer ${data?.access_token}`)).toMatchObject({ aal: 'aal2' })
    expect(await listFactorAudit(server, user.id)).toEqual([
      'factor_enrolled',
      'factor_challenged',
      'factor_verified',
    ])
  })

  it('ends older refresh tokens, and the new one keeps aal2 and amr', async () => {
    const { client, session } = await signUpSomeone(server)
    const first = await client.refreshSession()
    const second = first.data.session?.refresh_token ?? ''
    const { factorId, secret } = await enrollTotp(client)
    const { data } = await client.mfa.challengeAndVerify({ factorId, code: showCode(secret) })

    for (const token of [session.refresh_token, second])
      expect((await refresh(token)).error?.code).toBe('refresh_token_not_found')
    const renewed = await refresh(data?.refresh_token ?? '')

    expect(renewed.error).toBeNull()
    const claims = decodeJwt(renewed.data.session?.access_token ?? '')
    expect(claims['aal']).toBe('aal2')
    expect(claims['amr']).toEqual(decodeJwt(data?.access_token ?? '')['amr'])
  })

  it('ends, the first time, the user’s other sessions at aal1 and other unverified factors', async () => {
    const { client, email } = await signUpSomeone(server)
    const elsewhere = server.newClient()
    await elsewhere.signInWithPassword({ email, password: PASSWORD })
    await enrollTotp(client, 'Given up')
    const { factorId, secret } = await enrollTotp(client, 'Kept')

    await client.mfa.challengeAndVerify({ factorId, code: showCode(secret) })

    expect((await elsewhere.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' })
    expect((await client.mfa.listFactors()).data?.all.map(({ friendly_name }) => friendly_name)).toEqual([
      'Kept',
    ])
  })

  it('is required again at the next sign-in, and does not affect another session at aal2', async () => {
    const { client, email } = await signUpSomeone(server)
    const { factorId, secret } = await enrollTotp(client)
    await client.mfa.challengeAndVerify({ factorId, code: showCode(secret) })
    const elsewhere = server.newClient()
    await elsewhere.signInWithPassword({ email, password: PASSWORD })
    expect((await elsewhere.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: 'aal1',
      nextLevel: 'aal2',
    })

    const { error } = await elsewhere.mfa.challengeAndVerify({ factorId, code: showCode(secret, 1) })

    expect(error).toBeNull()
    expect((await client.getUser()).error).toBeNull()
  })

  it('is accepted one step early or late, and no further', async () => {
    const { client } = await signUpSomeone(server)
    const { factorId, secret } = await enrollTotp(client)
    await waitForRoomInStep()
    for (const steps of [-2, 2, 3])
      expect(
        (await client.mfa.challengeAndVerify({ factorId, code: showCode(secret, steps) })).error?.code,
      ).toBe('mfa_verification_failed')
    expect((await client.mfa.challengeAndVerify({ factorId, code: showCode(secret, -1) })).error).toBeNull()
  })
})

describe('a used code', () => {
  it('is refused from then on, in every session, and so are older codes', async () => {
    const { client, email } = await signUpSomeone(server)
    const { factorId, secret } = await enrollTotp(client)
    const code = showCode(secret)
    expect((await client.mfa.challengeAndVerify({ factorId, code })).error).toBeNull()

    const thief = server.newClient()
    await thief.signInWithPassword({ email, password: PASSWORD })
    for (const seen of [code, showCode(secret, -1)])
      expect((await thief.mfa.challengeAndVerify({ factorId, code: seen })).error).toMatchObject({
        status: 422,
        code: 'mfa_verification_failed',
        message: 'Invalid TOTP code entered',
      })
  })

  it('is accepted once among twenty simultaneous uses', async () => {
    const { client, session } = await signUpSomeone(server)
    const { factorId, secret } = await enrollTotp(client)
    const challenges = await Promise.all(
      Array.from({ length: 20 }, async () => (await client.mfa.challenge({ factorId })).data?.id ?? ''),
    )
    const code = showCode(secret)
    const answers = await Promise.all(
      challenges.map((challenge_id) =>
        post(server, `/factors/${factorId}/verify`, { challenge_id, code }, bearer(session.access_token)),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})
