import { UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startRawServer, type RawServer } from '#tests/support/peers/raw-server.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { post, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'
import { authorizeUrl, follow, readLanding } from './walk-oauth.ts'

const CHUNK = Buffer.alloc(64 * 1024, ' ')
/**
 * Most bytes that a process may read before it hangs up: its limit of 256 KiB, plus those in sockets and
 * streams.
 */
const MOST_POURED = 32 * 1024 * 1024

/** An issuer with one endless answer. */
let issuer: RawServer
let server: AuthServer
let endless: '/.well-known/openid-configuration' | '/keys' | '/token'
let poured = 0
beforeAll(async () => {
  issuer = await startRawServer((socket, received) => {
    const [, path = ''] = /^(?:GET|POST) (\S+)/.exec(received) ?? []
    if (path === '') return
    if (path !== endless) {
      const at = new URL(issuer.url).origin
      const body = JSON.stringify({
        issuer: at,
        jwks_uri: `${at}/keys`,
        authorization_endpoint: `${at}/begin`,
        token_endpoint: `${at}/token`,
      })
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      )
      return
    }
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n')
    const pour = (): void => {
      // Stops at twice the limit for the machine's sake, if nobody hangs up.
      if (socket.destroyed || poured > 2 * MOST_POURED) return
      poured += CHUNK.length
      socket.write(CHUNK, pour)
    }
    pour()
  })
  server = await startAuthServer({
    AUTH_PROVIDERS: JSON.stringify({ acme: { issuer: new URL(issuer.url).origin, client_id: 'leadwire' } }),
  })
})
afterAll(async () => {
  await server.close()
  await issuer.close()
})
beforeEach(() => {
  poured = 0
})

const expectLeft = async () => {
  await waitUntil(() => issuer.open() === 0, { what: 'The closing of every connection' })
  expect(poured).toBeGreaterThan(0)
  expect(poured).toBeLessThan(MOST_POURED)
}

describe('an issuer that answers without end is cut off', () => {
  it('at its description', async () => {
    endless = '/.well-known/openid-configuration'
    const { fragment } = readLanding(await follow(authorizeUrl(server)))
    expect(fragment.get('error_description')).toContain('cannot be reached at the moment')
    await expectLeft()
  })

  it('at its keys', async () => {
    endless = '/keys'
    const claims = { iss: new URL(issuer.url).origin, sub: 'a' }
    const [, payload = ''] = new UnsecuredJWT(claims).encode().split('.')
    const head = Buffer.from(JSON.stringify({ alg: 'RS256', kid: 'key' })).toString('base64url')
    const given = { provider: 'acme', id_token: `${head}.${payload}.c2lnbmF0dXJl` }
    const { status, body } = await post(server, '/token?grant_type=id_token', given)
    expect({ status, body }).toMatchObject({ status: 400, body: { error: 'server_error' } })
    await expectLeft()
  })

  it('at the exchange of a code', async () => {
    endless = '/token'
    const { searchParams } = new URL(await follow(authorizeUrl(server)))
    const back = `${server.url}/callback?code=abc&state=${searchParams.get('state') ?? ''}`
    const { fragment } = readLanding(await follow(back))
    expect(fragment.get('error_description')).toBe('Unable to exchange external code')
    await expectLeft()
  })
})
