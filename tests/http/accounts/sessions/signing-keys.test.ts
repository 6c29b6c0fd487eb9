import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  decodeProtectedHeader,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  generateSecret,
  SignJWT,
  UnsecuredJWT,
  type JWK,
} from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import { loadConfig } from '#core/config/config.ts'
import { loadSigningKeys } from '#server/identity/signing-keys.ts'
import { verifyAccessToken } from '#server/identity/access-token.ts'
import { call, signUpSomeone, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'

const open: AuthServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

async function makeKey(alg: 'ES256' | 'RS256' | 'HS256', kid: string): Promise<JWK> {
  if (alg === 'HS256')
    return { ...(await exportJWK(await generateSecret('HS256', { extractable: true }))), kid }
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return { ...(await exportJWK(privateKey)), kid }
}

async function startWith(...keys: JWK[]): Promise<AuthServer> {
  const server = await startAuthServer({ AUTH_SIGNING_KEYS: JSON.stringify(keys) })
  open.push(server)
  return server
}

async function statusWith(server: AuthServer, token: string): Promise<number> {
  return (await call(server, '/user', { headers: { Authorization: `Bearer ${token}` } })).status
}

/** Restarts the server with other keys on the same database. */
async function rotate(server: AuthServer, ...keys: JWK[]): Promise<void> {
  const config = { ...server.context.config }
  const signingKeys = keys as typeof config.auth.signingKeys
  server.context.identity.keys = await loadSigningKeys({ ...config, auth: { ...config.auth, signingKeys } })
}

describe('several signing keys', () => {
  it('rotate: the first one signs, and tokens of the others stay valid until their key is removed', async () => {
    const [old, fresh] = [await makeKey('ES256', 'old'), await makeKey('ES256', 'fresh')]
    const server = await startWith(old)
    const { client, session } = await signUpSomeone(server)
    expect(decodeProtectedHeader(session.access_token).kid).toBe('old')

    await rotate(server, fresh, old)
    expect(await statusWith(server, session.access_token)).toBe(200)
    const { data } = await client.refreshSession()
    expect(decodeProtectedHeader(data.session?.access_token ?? '').kid).toBe('fresh')
    expect((await client.getClaims()).error).toBeNull()

    await rotate(server, fresh)
    expect(await statusWith(server, session.access_token)).toBe(403)
    expect(await statusWith(server, data.session?.access_token ?? '')).toBe(200)
  })

  it('are all published except symmetric ones, and none with a private part', async () => {
    const server = await startWith(
      await makeKey('ES256', 'ec'),
      await makeKey('RS256', 'rsa'),
      await makeKey('HS256', 'secret'),
    )
    const { body } = await call(server, '/.well-known/jwks.json')
    expect(body.keys?.map(({ kid, alg, use }) => ({ kid, alg, use }))).toEqual([
      { kid: 'ec', alg: 'ES256', use: 'sig' },
      { kid: 'rsa', alg: 'RS256', use: 'sig' },
    ])
    for (const key of body.keys ?? [])
      for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth'])
        expect(key).not.toHaveProperty(secret)
  })

  it('can be read from a file', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'leadwire-keys-'))
    try {
      const file = path.join(folder, 'keys.json')
      await writeFile(file, JSON.stringify([await makeKey('ES256', 'from-file')]))
      const server = await startAuthServer({ AUTH_SIGNING_KEYS: file })
      open.push(server)
      const { session } = await signUpSomeone(server)
      expect(decodeProtectedHeader(session.access_token).kid).toBe('from-file')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it.each([
    ['no JSON', '[{'],
    ['an empty list', '[]'],
    ['a file that is not there', '/nowhere/keys.json'],
    ['a public key', JSON.stringify([{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }])],
    ['a short secret', JSON.stringify([{ kty: 'oct', k: 'c2hvcnQ' }])],
  ])('are refused without being quoted: %s', (_what, value) => {
    const load = () =>
      loadConfig({ DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://x', AUTH_SIGNING_KEYS: value })
    expect(load).toThrow(/AUTH_SIGNING_KEYS/)
    try {
      load()
    } catch (error) {
      expect(String(error)).not.toContain('c2hvcnQ')
    }
  })

  it('are refused if two have the same id, or one has another curve', async () => {
    const twice = [await makeKey('ES256', 'same'), await makeKey('ES256', 'same')]
    await expect(startAuthServer({ AUTH_SIGNING_KEYS: JSON.stringify(twice) })).rejects.toThrow(
      'two keys have the same id',
    )
    const { privateKey } = await generateKeyPair('ES384', { extractable: true })
    const other = JSON.stringify([await exportJWK(privateKey)])
    await expect(startAuthServer({ AUTH_SIGNING_KEYS: other })).rejects.toThrow('must be on P-256')
  })
})

describe.each(['ES256', 'RS256', 'HS256'] as const)('a token signed by %s', (alg) => {
  it('is verified by the client library, and signs its user in', async () => {
    const server = await startWith(await makeKey(alg, `only-${alg}`))
    const { client, session, user } = await signUpSomeone(server)
    expect(decodeProtectedHeader(session.access_token)).toMatchObject({ alg, kid: `only-${alg}` })
    const { data, error } = await client.getClaims()
    expect(error).toBeNull()
    expect(data?.claims.sub).toBe(user.id)
    expect(await statusWith(server, session.access_token)).toBe(200)
    expect((await client.refreshSession()).error).toBeNull()
  })
})

describe('a forged token', () => {
  it('is refused, whatever key and algorithm it names', async () => {
    const [ec, rsa, secret] = [
      await makeKey('ES256', 'ec'),
      await makeKey('RS256', 'rsa'),
      await makeKey('HS256', 'secret'),
    ]
    const server = await startWith(ec, rsa, secret)
    const { session, user } = await signUpSomeone(server)
    const claims = {
      ...(JSON.parse(
        Buffer.from(session.access_token.split('.')[1] ?? '', 'base64url').toString(),
      ) as object),
      sub: user.id,
    }
    const strangers = await generateKeyPair('ES256', { extractable: true })
    const strangersRsa = await generateKeyPair('RS256')
    const [shownEc, shownRsa] = server.context.identity.keys.all
    const sign = (alg: string, kid: string | undefined, key: Parameters<SignJWT['sign']>[0], more = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg, ...(kid === undefined ? {} : { kid }), ...more })
        .sign(key)
    const text = (value: string) => new TextEncoder().encode(value)
    const forged = {
      'another key under a known id': await sign('ES256', 'ec', strangers.privateKey),
      'another key without an id': await sign('ES256', undefined, strangers.privateKey),
      'an unknown id': await sign('ES256', '../../etc/passwd', strangers.privateKey),
      'an RSA token under the id of an EC key': await sign('RS256', 'ec', strangersRsa.privateKey),
      'HS256 with the published JWK': await sign('HS256', 'ec', text(JSON.stringify(shownEc?.publicJwk))),
      'HS256 with the public PEM': await sign(
        'HS256',
        'rsa',
        text(await exportSPKI(shownRsa?.publicKey as CryptoKey)),
      ),
      'HS256 with an empty secret': await sign('HS256', 'secret', text('\0')),
      'a key that it brings itself': await sign('ES256', 'ec', strangers.privateKey, {
        jwk: await exportJWK(strangers.publicKey),
      }),
      'alg none': new UnsecuredJWT(claims).encode(),
      'alg none with our id': [
        Buffer.from(JSON.stringify({ alg: 'none', kid: 'ec' })).toString('base64url'),
        session.access_token.split('.')[1],
        '',
      ].join('.'),
      'a signature that was cut off': session.access_token.replace(/\.[^.]*$/, '.'),
    }
    for (const [what, token] of Object.entries(forged)) {
      expect(await statusWith(server, token), what).toBe(403)
      expect((await verifyAccessToken(server.context, token)).ok, what).toBe(false)
    }
    expect(await statusWith(server, session.access_token)).toBe(200)
  })

  it('does not act for the service with an unsigned role', async () => {
    const server = await startWith(await makeKey('ES256', 'ec'))
    const { privateKey } = await generateKeyPair('ES256')
    const token = await new SignJWT({ role: 'service_role' })
      .setProtectedHeader({ alg: 'ES256', kid: 'ec' })
      .sign(privateKey)
    expect((await verifyAccessToken(server.context, token)).ok).toBe(false)
  })
})

describe('a token of the service itself', () => {
  it.each(['ES256', 'RS256', 'HS256'] as const)(
    'is accepted with a key of any kind (%s), and may lack every other claim',
    async (alg) => {
      const server = await startWith(await makeKey('ES256', 'first'), await makeKey(alg, 'service'))
      const key = server.context.identity.keys.all.find(({ kid }) => kid === 'service')
      if (key === undefined) throw new Error('the key is not there')
      for (const role of ['service_role', 'supabase_admin']) {
        for (const header of [{ alg, kid: 'service' }, { alg }]) {
          const token = await new SignJWT({ role, sub: '1234567890' })
            .setProtectedHeader(header)
            .sign(key.privateKey)
          const verified = await verifyAccessToken(server.context, token)
          expect(verified).toMatchObject({ ok: true, claims: { isService: true, role } })
          // The token has no user, so it opens no account.
          expect(await statusWith(server, token)).toBe(400)
        }
      }
    },
  )

  it('ends at its expiry', async () => {
    const server = await startWith(await makeKey('HS256', 'service'))
    const token = await new SignJWT({ role: 'service_role', exp: Math.floor(Date.now() / 1000) - 1 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(server.context.identity.keys.signing.privateKey)
    expect((await verifyAccessToken(server.context, token)).ok).toBe(false)
  })
})
