import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { OAuth2Client } from '#core/contract/webhooks/authentication.ts'
import { createAddressGuard } from '#core/endpoint/guard-address.ts'
import type { ResolveName } from '#core/endpoint/look-ups.ts'
import { REFUSED_URLS } from '#tests/support/given/refused-urls.ts'
import { answering, closeLater, listen, open, requestTo, SHORT_MS } from './open-transport.ts'

const answerOk = answering('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok')
const PUBLIC = '93.184.216.34'

type Round = readonly string[] | 'NXDOMAIN' | 'SERVFAIL' | 'silence'

/** A name server that gives one round for each lookup and repeats the last one. */
function resolving(...rounds: Round[]): ResolveName {
  return (_name, _options, callback) => {
    const round = (rounds.length > 1 ? rounds.shift() : rounds[0]) ?? []
    if (round === 'silence') return
    if (typeof round === 'string') {
      const code = round === 'NXDOMAIN' ? 'ENOTFOUND' : 'EAI_AGAIN'
      callback(Object.assign(new Error(`getaddrinfo ${code}`), { code }), [])
      return
    }
    callback(
      null,
      round.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
}

/** Listens on all local addresses that forged names lead to, and counts connections. */
async function listenEverywhere(): Promise<{ port: number; accepted: () => number }> {
  let accepted = 0
  const server = createServer((socket) => {
    accepted += 1
    socket.destroy()
  }).listen(0, '::')
  await once(server, 'listening')
  closeLater(async () => {
    server.close()
    await once(server, 'close')
  })
  return { port: (server.address() as AddressInfo).port, accepted: () => accepted }
}

const client = (tokenUrl: string): OAuth2Client => ({
  type: 'oauth2',
  token_url: tokenUrl,
  client_id: 'leadwire',
  client_secret: 'client-secret',
  scope: '',
  credentials_in: 'header',
})
const asking = (tokenUrl: string) => ({
  access: { authentication: client(tokenUrl), certificates: null, keptAs: null },
})

/** Adds the listening port to a URL without a port. */
function atPort(text: string, port: number): string {
  return text.replace(/^(https?:\/\/[^/@:]+|http:\/\/\[[^\]]+\])(?=\/|$)/, `$1:${port}`)
}

describe.each(Object.entries(REFUSED_URLS))('%s', (_what, texts) => {
  it('reaches nothing, neither as an endpoint nor as a token URL', async () => {
    const trap = await listenEverywhere()
    // Every name resolves to this machine, so only the guard prevents a connection.
    const guard = createAddressGuard([], resolving(['127.0.0.1']))
    const transport = open(2000, guard)
    const urls = texts.map((text) => atPort(text, trap.port))
    const results = await Promise.all(
      urls.flatMap((url) => [
        transport.send(requestTo(url)),
        transport.send(requestTo('https://crm.example.com/hook'), asking(url)),
      ]),
    )
    const reached = results.filter(({ exchange }) => exchange.kind === 'answer')
    expect({ reached: reached.length, accepted: trap.accepted() }).toEqual({ reached: 0, accepted: 0 })
  })
})

describe('a name', () => {
  it.each<[string, Round[], string]>([
    ['with an A record of loopback', [['127.0.0.1']], 'blocked_address'],
    ['with an AAAA record of loopback', [['::1']], 'blocked_address'],
    ['with a mapped address', [['::ffff:127.0.0.1']], 'blocked_address'],
    ['with a NAT64 address', [['64:ff9b::7f00:1']], 'blocked_address'],
    ['that is a CNAME of an internal one', [['10.0.0.5']], 'blocked_address'],
    ['of cloud metadata', [['169.254.169.254']], 'blocked_address'],
    ['with a public and a private address', [[PUBLIC, '127.0.0.1']], 'blocked_address'],
    ['with a private and a public address', [['127.0.0.1', PUBLIC]], 'blocked_address'],
    [
      'with 300 addresses of which the last is private',
      [[...Array.from({ length: 299 }, (_, index) => `93.184.${index >> 8}.${index & 255}`), '127.0.0.1']],
      'blocked_address',
    ],
    ['that changes to a public address after the check', [['127.0.0.1'], [PUBLIC]], 'blocked_address'],
    ['without an address', [[]], 'dns'],
    ['that does not exist', ['NXDOMAIN'], 'dns'],
    ['whose name server fails', ['SERVFAIL'], 'dns'],
    ['whose name server says nothing', ['silence'], 'timeout'],
  ])('%s is refused', async (_what, rounds, errorClass) => {
    const trap = await listenEverywhere()
    const url = `http://crm.example.com:${trap.port}/hook`
    const asEndpoint = await open(SHORT_MS, createAddressGuard([], resolving(...rounds))).send(requestTo(url))
    expect(asEndpoint.exchange).toMatchObject({ kind: 'failure', errorClass })

    const guard = createAddressGuard([], resolving(...rounds))
    const asTokenAddress = await open(SHORT_MS, guard).send(requestTo(url), asking(url))
    expect(asTokenAddress.exchange).toMatchObject({ kind: 'failure', errorClass: 'authentication' })
    expect(trap.accepted()).toBe(0)
  })

  it('that changes from a public to a private address between two requests is refused at the second', async () => {
    // 127.0.0.1 stands for the public address here: it is the only allowed one.
    const server = await listen(answerOk, { host: '0.0.0.0' })
    const guard = createAddressGuard(['127.0.0.1/32'], resolving(['127.0.0.1'], ['127.0.0.2']))
    const transport = open(2000, guard)
    const url = `http://crm.example.com:${server.port}/hook`
    expect((await transport.send(requestTo(url))).exchange).toMatchObject({ kind: 'answer' })
    await expect.poll(server.open).toBe(0)
    expect((await transport.send(requestTo(url))).exchange).toMatchObject({ errorClass: 'blocked_address' })
    expect(server.accepted()).toBe(1)
  })
})

describe.each([301, 302, 303, 307, 308])('a redirect with %i', (status) => {
  it.each(['to metadata', 'to a file', 'to itself', 'to loopback'])('%s is not followed', async (where) => {
    const trap = await listenEverywhere()
    const server = await listen((socket) => {
      const to = {
        'to metadata': 'http://169.254.169.254/latest/meta-data/',
        'to a file': 'file:///etc/passwd',
        'to itself': server.url,
        'to loopback': `http://127.0.0.1:${trap.port}/`,
      }[where]
      socket.end(`HTTP/1.1 ${status} Elsewhere\r\nlocation: ${to}\r\ncontent-length: 0\r\n\r\n`)
    })
    expect((await open().send(requestTo(server.url))).exchange).toMatchObject({ kind: 'answer', status })
    expect(server.accepted()).toBe(1)

    const { exchange } = await open().send(requestTo('http://127.0.0.1:1/'), asking(server.url))
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'authentication' })
    expect({ accepted: server.accepted(), trapped: trap.accepted() }).toEqual({ accepted: 2, trapped: 0 })
  })
})
