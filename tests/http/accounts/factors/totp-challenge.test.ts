import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticate } from '#server/identity/authenticate.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { enrollTotp, forgetUsedStep, listFactorAudit, signInWithTotp } from './enroll-totp.ts'
import {
  call,
  NEW_VERSION,
  post,
  signUpSomeone,
  startAuthServer,
  type AuthServer,
} from '../wire/start-auth-server.ts'
import { showCode, wrongCode } from './totp-app.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server.close())

const bearer = (token: string) => ({ Authorization: `Bearer ${token}`, ...NEW_VERSION })

async function refresh(token: string) {
  return await server.newClient().refreshSession({ refresh_token: token })
}

describe('a challenge', () => {
  async function begin() {
    const { client, session, user } = await signUpSomeone(server)
    const { factorId, secret } = await enrollTotp(client)
    const { data } = await client.mfa.challenge({ factorId })
    const verify = (code: string, challenge_id = data?.id ?? '', headers = {}) =>
      post(
        server,
        `/factors/${factorId}/verify`,
        { challenge_id, code },
        { ...bearer(session.access_token), ...headers },
      )
    return { client, session, user, factorId, secret, challengeId: data?.id ?? '', verify }
  }

  it('accepts one right code', async () => {
    const { verify, secret, user } = await begin()
    expect((await verify(showCode(secret))).status).toBe(200)
    await forgetUsedStep(server, user.id)
    expect((await verify(showCode(secret))).body).toMatchObject({
      code: 'mfa_factor_not_found',
      message: 'MFA factor with the provided challenge ID not found',
    })
  })

  it('ends after three wrong codes, even if they are sent together', async () => {
    const { verify, secret, user, challengeId } = await begin()
    const wrong = wrongCode(secret)
    const answers = await Promise.all(Array.from({ length: 10 }, () => verify(wrong)))
    const codes = answers.map(({ body }) => body.code)
    expect(codes.filter((code) => code === 'mfa_verification_failed')).toHaveLength(3)
    expect(codes.filter((code) => code === 'mfa_challenge_expired')).toHaveLength(7)
    const right = await verify(showCode(secret))
    expect(right.status).toBe(422)
    expect(right.body).toMatchObject({
      code: 'mfa_challenge_expired',
      message: `MFA challenge ${challengeId} has expired, verify against another challenge or create a new challenge.`,
    })
    expect(
      (await listFactorAudit(server, user.id)).filter((action) => action === 'factor_failed'),
    ).toHaveLength(3)
  })

  it('ends after five minutes', async () => {
    const { verify, secret, challengeId } = await begin()
    await server.context.db
      .updateTable('auth.factor_challenges')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('id', '=', challengeId)
      .execute()
    expect((await verify(showCode(secret))).body.code).toBe('mfa_challenge_expired')
  })

  it('must be answered from the address that asked for it', async () => {
    const { verify, secret } = await begin()
    const elsewhere = await verify(showCode(secret), undefined, { 'X-Forwarded-For': '203.0.113.9' })
    expect(elsewhere.status).toBe(422)
    expect(elsewhere.body).toMatchObject({
      code: 'mfa_ip_address_mismatch',
      message: 'Challenge and verify IP addresses mismatch',
    })
    expect((await verify(showCode(secret))).status).toBe(200)
  })

  it.each(['', 'none', '00000000-0000-4000-8000-000000000000'])('is not found by the id %j', async (id) => {
    const { verify, secret } = await begin()
    const { status, body } = await verify(showCode(secret), id)
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'mfa_factor_not_found' })
  })

  it('of another factor or another user is not found', async () => {
    const { client, verify, secret } = await begin()
    const other = await enrollTotp(client, 'Other')
    const { data } = await client.mfa.challenge({ factorId: other.factorId })
    expect((await verify(showCode(secret), data?.id)).body.code).toBe('mfa_factor_not_found')
    expect((await verify(showCode(secret), (await begin()).challengeId)).body.code).toBe(
      'mfa_factor_not_found',
    )
  })

  it.each(['', '   ', '12345', '1234567', 'abcdef', '１２３４５６'])('refuses the code %j', async (code) => {
    const { verify } = await begin()
    const { status, body } = await verify(code)
    expect(status).toBe(code.trim() === '' ? 400 : 422)
    expect(body.code).toBe(code.trim() === '' ? 'validation_failed' : 'mfa_verification_failed')
  })
})

describe('removal of a factor', () => {
  it('needs aal2 if the factor is verified', async () => {
    const { client, email } = await signUpSomeone(server)
    const { factorId, secret } = await enrollTotp(client)
    await client.mfa.challengeAndVerify({ factorId, code: showCode(secret) })
    const thief = server.newClient()
    await thief.signInWithPassword({ email, password: PASSWORD })
    expect((await thief.mfa.unenroll({ factorId })).error).toMatchObject({
      status: 422,
      code: 'insufficient_aal',
      message: 'AAL2 required to unenroll verified factor',
    })
  })

  it('returns its sessions to aal1, at once and everywhere', async () => {
    const { client, user, email } = await signUpSomeone(server)
    const { factorId, secret } = await enrollTotp(client)
    const { data } = await client.mfa.challengeAndVerify({ factorId, code: showCode(secret) })
    const other = await signInWithTotp(server, email, { factorId, code: showCode(secret, 1) })

    expect((await client.mfa.unenroll({ factorId })).data).toEqual({ id: factorId })

    for (const token of [data?.access_token, other.access_token])
      expect(await authenticate(server.context, `Bearer ${token}`)).toMatchObject({ aal: 'aal1' })
    const renewed = await refresh(other.refresh_token)
    const claims = decodeJwt(renewed.data.session?.access_token ?? '')
    expect(claims['aal']).toBe('aal1')
    expect((claims['amr'] as { method: string }[]).map(({ method }) => method)).toEqual(['password'])
    expect((await client.mfa.listFactors()).data?.all).toEqual([])
    expect((await listFactorAudit(server, user.id)).at(-1)).toBe('factor_removed')
  })

  it('is possible at aal1 while the factor is not verified', async () => {
    const { client } = await signUpSomeone(server)
    const { factorId } = await enrollTotp(client)
    expect((await client.mfa.unenroll({ factorId })).error).toBeNull()
    expect((await client.mfa.unenroll({ factorId })).error).toMatchObject({
      status: 404,
      code: 'mfa_factor_not_found',
    })
  })
})

describe('a user who knows only the password', () => {
  it('cannot add a factor to an account that has one', async () => {
    const { client, email } = await signUpSomeone(server)
    const { factorId, secret } = await enrollTotp(client)
    await client.mfa.challengeAndVerify({ factorId, code: showCode(secret) })
    const thief = server.newClient()
    await thief.signInWithPassword({ email, password: PASSWORD })
    expect((await thief.mfa.enroll({ factorType: 'totp', friendlyName: 'Mine' })).error).toMatchObject({
      status: 403,
      code: 'insufficient_aal',
      message: 'AAL2 required to enroll a new factor',
    })
  })

  it('cannot verify a factor that was begun before the owner had one', async () => {
    const { client, email, user } = await signUpSomeone(server)
    const owned = await enrollTotp(client, 'Owner’s')
    await client.mfa.challengeAndVerify({ factorId: owned.factorId, code: showCode(owned.secret) })
    const planted = await enrollTotp(client, 'Planted')
    const thief = server.newClient()
    await thief.signInWithPassword({ email, password: PASSWORD })
    const { error } = await thief.mfa.challengeAndVerify({
      factorId: planted.factorId,
      code: showCode(planted.secret),
    })
    expect(error).toMatchObject({ status: 403, code: 'insufficient_aal' })
    expect((await listFactorAudit(server, user.id)).at(-1)).toBe('factor_challenged')
  })

  it('cannot use a factor of another user', async () => {
    const owner = await signUpSomeone(server)
    const { factorId, secret } = await enrollTotp(owner.client)
    const { client, session } = await signUpSomeone(server)
    for (const answer of [
      await client.mfa.challenge({ factorId }),
      await client.mfa.unenroll({ factorId }),
      await client.mfa.verify({ factorId, challengeId: factorId, code: showCode(secret) }),
    ])
      expect(answer.error).toMatchObject({
        status: 404,
        code: 'mfa_factor_not_found',
        message: 'Factor not found',
      })
    const odd = await post(server, '/factors/me/challenge', {}, bearer(session.access_token))
    expect({ status: odd.status, message: odd.body.message }).toEqual({
      status: 404,
      message: 'factor_id must be an UUID',
    })
  })
})

it('anonymous users and users of other accounts are refused', async () => {
  const { session, user } = await signUpSomeone(server)
  await server.context.db
    .updateTable('auth.users')
    .set({ is_anonymous: true })
    .where('id', '=', user.id)
    .execute()
  const id = '00000000-0000-4000-8000-000000000000'
  const calls = [
    ['POST', '/factors'],
    ['POST', `/factors/${id}/challenge`],
    ['POST', `/factors/${id}/verify`],
    ['DELETE', `/factors/${id}`],
  ] as const
  for (const [method, path] of calls) {
    const anonymous = await call(server, path, { method, headers: bearer(session.access_token) })
    expect({ status: anonymous.status, ...anonymous.body }).toMatchObject({
      status: 403,
      code: 'no_authorization',
      message: 'Anonymous user not allowed to perform these actions',
    })
    expect((await call(server, path, { method })).status).toBe(401)
  }
})
