import { describe, expect, it } from 'vitest'
import { OPEN_ACCESS } from '#core/endpoint/endpoint-access.ts'
import { exchangeOnce } from '#core/endpoint/exchange-once.ts'
import { createConnectionPools } from '#core/endpoint/connection-pools.ts'
import { watchDialledAddresses } from '#core/endpoint/dial.ts'
import { createAddressGuard, type AddressGuard } from '#core/endpoint/guard-address.ts'
import { UNWATCHED } from '#core/endpoint/tls/handshakes.ts'
import type { TokenRoute } from '#core/endpoint/authorise/fetch-token.ts'
import { createTokenSource } from '#core/endpoint/authorise/token-source.ts'
import type { AnswerScript } from '#scripts/lab/receiver/start-receiver.ts'
import { bearerOf } from '#tests/support/peers/token-server.ts'
import { closeLater, LONG_MS, loopback, open, requestTo } from './open-transport.ts'
import { access, openTokenPeers } from './token-peers.ts'

const peers = openTokenPeers()
const { client } = peers

/** Makes exchanges as a transport does, without the rest of the transport. */
function exchangeThrough(guard: AddressGuard): TokenRoute['exchange'] {
  const pools = createConnectionPools(guard, {
    timeoutMs: LONG_MS,
    connectionsPerOrigin: 4,
    handshakes: UNWATCHED,
  })
  const addresses = watchDialledAddresses()
  closeLater(async () => {
    addresses.stop()
    await pools.close()
  })
  return (_owner, request, clock) =>
    pools.use(OPEN_ACCESS, ({ fresh }) => exchangeOnce(fresh, addresses, request, clock, undefined))
}

describe('an endpoint that asks for', () => {
  it('a password gets both parts in UTF-8', async () => {
    const basic = { type: 'basic', username: 'lead wire', password: 'pä:ss' } as const
    const { request } = await open().send(requestTo(peers.crm.url), { access: access(basic) })

    const sent = peers.crm.requests[0]?.headers.authorization ?? ''
    expect(Buffer.from(sent.replace('Basic ', ''), 'base64').toString()).toBe('lead wire:pä:ss')
    expect(request.headers['authorization']).toBe(sent)
  })

  it('a bearer token gets the token unchanged', async () => {
    await open().send(requestTo(peers.crm.url), { access: access({ type: 'bearer', token: 'abc.def~1=' }) })
    expect(peers.crm.requests[0]?.headers.authorization).toBe('Bearer abc.def~1=')
  })

  it('nothing gets no Authorization header', async () => {
    await open().send(requestTo(peers.crm.url), { access: access({ type: 'none' }) })
    expect(peers.crm.requests[0]?.headers.authorization).toBeUndefined()
  })
})

describe('an access token', () => {
  it('is asked for with the credentials in the header', async () => {
    const asking = client({ client_id: 'a:b c', client_secret: 'd&é', scope: 'leads.write crm' })
    await open().send(requestTo(peers.crm.url), { access: access(asking) })

    const [request] = peers.tokens.requests
    expect(request).toMatchObject({ method: 'POST', path: '/token' })
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      grant_type: 'client_credentials',
      scope: 'leads.write crm',
    })
    const basic = Buffer.from((request?.headers.authorization ?? '').replace('Basic ', ''), 'base64')
    expect(basic.toString()).toBe('a%3Ab+c:d%26%C3%A9')
    expect(peers.crm.requests.map(bearerOf)).toEqual(['token-1'])
  })

  it('is asked for with the credentials in the body', async () => {
    await open().send(requestTo(peers.crm.url), { access: access(client({ credentials_in: 'body' })) })

    expect(peers.tokens.requests[0]?.headers.authorization).toBeUndefined()
    expect(Object.fromEntries(new URLSearchParams(peers.tokens.requests[0]?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'leadwire',
      client_secret: 'client-secret',
    })
  })

  it('serves every request of its configuration and no other’s', async () => {
    const transport = open()
    const send = (keptAs: string) =>
      transport.send(requestTo(peers.crm.url), { access: access(client(), keptAs) })
    await Promise.all(Array.from({ length: 20 }, () => send('config-1')))
    await send('config-1')
    expect(peers.tokens.given()).toBe(1)

    await send('config-2')
    expect(peers.tokens.given()).toBe(2)
    expect(peers.crm.requests.map(bearerOf).filter((token) => token === 'token-2')).toHaveLength(1)
  })

  it('is read from an answer of many kilobytes', async () => {
    const claims = 'x'.repeat(60 * 1024)
    peers.tokens.answerWith({
      status: 200,
      body: JSON.stringify({ id_token: claims, access_token: 'at-the-end' }),
    })
    await open().send(requestTo(peers.crm.url), { access: access(client()) })
    expect(peers.crm.requests.map(bearerOf)).toEqual(['at-the-end'])
  })

  it('is read from a 201 that begins with a byte order mark', async () => {
    peers.tokens.answerWith({ status: 201, body: '\ufeff{"access_token":"behind-a-mark"}' })
    await open().send(requestTo(peers.crm.url), { access: access(client()) })
    expect(peers.crm.requests.map(bearerOf)).toEqual(['behind-a-mark'])
  })

  it('is not cached where caching is off', async () => {
    const transport = open()
    for (const _ of [1, 2]) await transport.send(requestTo(peers.crm.url), { access: access(client(), null) })
    expect(peers.crm.requests.map(bearerOf)).toEqual(['token-1', 'token-2'])
  })

  it.each([
    ['an hour', 3600, 3540],
    ['a minute', 60, 30],
    ['an unknown time', undefined, 240],
    ['a year', 365 * 24 * 3600, 24 * 3600],
  ])('that lasts %s is used until shortly before its end', async (_what, lifetime, usable) => {
    let now = 1
    peers.tokens.lifetimeSeconds = lifetime
    const exchange = exchangeThrough(loopback)
    const source = createTokenSource({ guard: loopback, timeoutMs: LONG_MS, exchange }, () => now)
    const read = () => source.read(client(), 'config-1', 'client-1')

    expect(await read()).toEqual({ value: 'token-1', wasKept: false })
    now = usable * 1000
    expect(await read()).toEqual({ value: 'token-1', wasKept: true })
    now = usable * 1000 + 2
    expect(await read()).toEqual({ value: 'token-2', wasKept: false })
  })
})

describe('an endpoint that answers 401', () => {
  const accepting =
    (...good: string[]): AnswerScript =>
    (request) =>
      good.includes(bearerOf(request) ?? '') ? 200 : 401

  it('to a cached token gets the request once more with a new token, in the same attempt', async () => {
    const transport = open()
    const send = () => transport.send(requestTo(peers.crm.url), { access: access(client()) })
    await send()
    peers.crm.answerWith(accepting('token-2'))
    const { exchange, request } = await send()

    expect(exchange).toMatchObject({ kind: 'answer', status: 200 })
    expect(request.headers['authorization']).toBe('Bearer token-2')
    expect(peers.crm.requests.map(bearerOf)).toEqual(['token-1', 'token-1', 'token-2'])
    expect(new Set(peers.crm.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(peers.crm.requests[2]?.body).toBe(peers.crm.requests[1]?.body)
  })

  it('to a cached token fails if no new token can be had, because it has received the request', async () => {
    const transport = open()
    const send = () => transport.send(requestTo(peers.crm.url), { access: access(client()) })
    await send()
    peers.crm.answerWith({ status: 401, body: 'revoked' })
    await peers.tokens.close()
    const { exchange, body, remoteAddress, request } = await send()

    expect(peers.crm.requests).toHaveLength(2)
    expect({ exchange, body, remoteAddress }).toMatchObject({
      exchange: { kind: 'answer', status: 401 },
      body: 'revoked',
      remoteAddress: '127.0.0.1',
    })
    expect(request.headers['authorization']).toBe('Bearer token-1')
  })

  it('to many requests with a cached token costs one new token', async () => {
    const transport = open()
    const send = () => transport.send(requestTo(peers.crm.url), { access: access(client()) })
    await send()
    peers.crm.answerWith(accepting('token-2'))
    const results = await Promise.all(Array.from({ length: 10 }, send))

    expect(results.map(({ exchange }) => exchange)).toEqual(
      results.map(() => expect.objectContaining({ status: 200 }) as unknown),
    )
    expect(peers.tokens.given()).toBe(2)
  })

  it('to a new token gets no second request, and the next attempt gets another token', async () => {
    peers.crm.answerWith(401)
    const transport = open()
    const send = () => transport.send(requestTo(peers.crm.url), { access: access(client()) })

    expect((await send()).exchange).toMatchObject({ kind: 'answer', status: 401 })
    expect(peers.crm.requests.map(bearerOf)).toEqual(['token-1'])
    expect((await send()).exchange).toMatchObject({ kind: 'answer', status: 401 })
    expect(peers.crm.requests.map(bearerOf)).toEqual(['token-1', 'token-2'])
  })

  it('twice in one attempt fails the attempt', async () => {
    const transport = open()
    const send = () => transport.send(requestTo(peers.crm.url), { access: access(client()) })
    await send()
    peers.crm.answerWith(401)

    expect((await send()).exchange).toMatchObject({ kind: 'answer', status: 401 })
    expect(peers.crm.requests.map(bearerOf)).toEqual(['token-1', 'token-1', 'token-2'])
  })

  it('gets no second request with the token that it has refused', async () => {
    peers.tokens.answerWith({ status: 200, body: '{"access_token":"always-this"}' })
    const transport = open()
    const send = () => transport.send(requestTo(peers.crm.url), { access: access(client()) })
    await send()
    peers.crm.answerWith(401)

    expect((await send()).exchange).toMatchObject({ kind: 'answer', status: 401 })
    expect(peers.crm.requests).toHaveLength(2)
  })

  it.each([
    ['a password', { type: 'basic', username: 'a', password: 'b' }],
    ['a token', { type: 'bearer', token: 'c' }],
  ] as const)('gets no second request where the configuration has only %s', async (_what, authentication) => {
    peers.crm.answerWith(401)
    await open().send(requestTo(peers.crm.url), { access: access(authentication) })
    expect(peers.crm.requests).toHaveLength(1)
  })

  it.each([400, 403, 429, 500, 503])('with %i instead of 401 gets no second request', async (status) => {
    const transport = open()
    const send = () => transport.send(requestTo(peers.crm.url), { access: access(client()) })
    await send()
    peers.crm.answerWith(status)
    expect((await send()).exchange).toMatchObject({ kind: 'answer', status })
    expect(peers.crm.requests).toHaveLength(2)
  })
})

describe('the connections on which tokens are asked for', () => {
  it.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]'])('dial no %s for any client', async (host) => {
    const exchange = exchangeThrough(createAddressGuard([]))
    const clock = { startedAt: performance.now(), timeoutMs: LONG_MS }
    const { exchange: outcome } = await exchange(
      'client-1',
      requestTo(`http://${host}:${peers.crm.port}/`),
      clock,
    )
    expect(outcome).toMatchObject({ kind: 'failure', errorClass: 'blocked_address' })
    expect(peers.crm.requests).toEqual([])
  })
})
