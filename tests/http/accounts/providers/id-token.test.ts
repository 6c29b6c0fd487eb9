import { createHash, randomUUID } from 'node:crypto'
import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CLIENT_ID, startOidcIssuer, type OidcIssuer } from '#tests/support/peers/oidc-issuer.ts'
import { newEmail, post, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'

let server: AuthServer
let issuer: OidcIssuer
beforeAll(async () => {
  issuer = await startOidcIssuer()
  server = await startAuthServer({
    AUTH_PROVIDERS: JSON.stringify({
      acme: { issuer: issuer.url, client_id: CLIENT_ID, audiences: ['the phone app'] },
      github: { client_id: CLIENT_ID },
      away: { issuer: 'http://127.0.0.1:1', client_id: CLIENT_ID },
    }),
  })
  issuer.register(`${server.url}/callback`)
})
afterAll(async () => {
  await server.close()
  await issuer.close()
})

let claims: Record<string, unknown>
beforeEach(() => {
  claims = { sub: randomUUID(), email: newEmail(), email_verified: true, name: 'Ada Buyer' }
})

const grant = (body: object) => post(server, '/token?grant_type=id_token', { provider: 'acme', ...body })
const hashOf = (nonce: string) => createHash('sha256').update(nonce).digest('hex')
const refusal = (error: string, error_description: string) => ({
  status: 400,
  body: { error, error_description },
})

describe('sign-in by an id token', () => {
  it('creates an account and returns its session', async () => {
    const token = await issuer.signIdToken({ ...claims, nonce: hashOf('once') })
    const given = { provider: 'acme' as 'google', token, nonce: 'once' }
    const { data, error } = await server.newClient().signInWithIdToken(given)
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ email: claims['email'], app_metadata: { provider: 'acme' } })
  })

  it('accepts an audience of the app’s own', async () => {
    const id_token = await issuer.signIdToken({ ...claims, aud: ['another', 'the phone app'] })
    expect((await grant({ id_token })).status).toBe(200)
  })

  it('accepts a token once, even if it arrives ten times at once', async () => {
    const id_token = await issuer.signIdToken(claims)
    const answers = await Promise.all(Array.from({ length: 10 }, () => grant({ id_token })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await grant({ id_token })).toMatchObject(
      refusal('invalid request', 'id_token has already been used'),
    )
  })

  it('needs the same nonce in the token and in the request', async () => {
    const withNonce = await issuer.signIdToken({ ...claims, nonce: hashOf('once') })
    const without = await issuer.signIdToken(claims)
    const either = 'Passed nonce and nonce in id_token should either both exist or not.'
    expect(await grant({ id_token: withNonce })).toMatchObject(refusal('invalid request', either))
    expect(await grant({ id_token: without, nonce: 'once' })).toMatchObject(
      refusal('invalid request', either),
    )
    const other = await grant({ id_token: withNonce, nonce: 'twice' })
    expect(other).toMatchObject(refusal('invalid nonce', 'Nonces mismatch'))
    // The hash is in the token, where everybody can read it.
    const shown = await grant({ id_token: withNonce, nonce: hashOf('once') })
    expect(shown).toMatchObject(refusal('invalid nonce', 'Nonces mismatch'))
    expect((await grant({ id_token: withNonce, nonce: 'once' })).status).toBe(200)
  })

  it('refuses an unknown audience', async () => {
    const id_token = await issuer.signIdToken({ ...claims, aud: 'another app' })
    const message = 'Unacceptable audience in id_token: ["another app"]'
    expect(await grant({ id_token })).toMatchObject(refusal('invalid request', message))
  })

  it('refuses an access token that does not belong to the id token', async () => {
    const id_token = await issuer.signIdToken({ ...claims, at_hash: 'somebody else’s' })
    expect(await grant({ id_token, access_token: 'mine' })).toMatchObject(
      refusal('invalid request', 'Bad ID token'),
    )
  })

  it('refuses a token that is expired, unsigned, invalid, or of another issuer or key', async () => {
    const { privateKey } = await generateKeyPair('RS256')
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const unsigned = { iss: issuer.url, aud: CLIENT_ID, exp: Math.floor(Date.now() / 1000) + 300, ...claims }
    const bad = [
      await issuer.signIdToken({ ...claims, iss: 'https://evil.example.com' }),
      await issuer.signIdToken(claims, privateKey),
      `${encode({ alg: 'none' })}.${encode(unsigned)}.`,
      await new SignJWT(unsigned).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(CLIENT_ID.repeat(8))),
      await issuer.signIdToken({ ...claims, exp: Math.floor(Date.now() / 1000) - 600 }),
      'no token',
    ]
    for (const id_token of bad)
      expect(await grant({ id_token })).toMatchObject(refusal('invalid request', 'Bad ID token'))
    expect(await grant({})).toMatchObject(refusal('invalid request', 'id_token required'))
  })

  it('refuses a provider that is off, unknown, without OpenID or unreachable', async () => {
    const id_token = await issuer.signIdToken(claims)
    expect(await grant({ id_token, provider: 'google' })).toMatchObject({
      status: 400,
      body: {
        error_code: 'provider_disabled',
        msg: 'Provider (issuer "https://accounts.google.com") is not enabled',
      },
    })
    for (const provider of ['nobody', 'github']) {
      expect(await grant({ id_token, provider })).toMatchObject({
        status: 400,
        body: { error_code: 'validation_failed', msg: `Custom OIDC provider "${provider}" not allowed` },
      })
    }
    const { status, body } = await grant({ id_token, provider: 'away' })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: 'server_error' })
  })

  it('links nothing without a session', async () => {
    const id_token = await issuer.signIdToken(claims)
    const { status, body } = await grant({ id_token, link_identity: true })
    expect(status).toBe(404)
    expect(body).toMatchObject({ error_code: 'manual_linking_disabled' })
  })
})
