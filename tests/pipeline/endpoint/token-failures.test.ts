import { describe, expect, it } from 'vitest'
import type { OAuth2Client } from '#core/contract/webhooks/authentication.ts'
import { createAddressGuard } from '#core/endpoint/guard-address.ts'
import type { ResolveName } from '#core/endpoint/look-ups.ts'
import { selfSigned, type TestCertificate } from '#scripts/chaos/certificate.ts'
import { startRawServer } from '#tests/support/peers/raw-server.ts'
import type { AnswerScript } from '#scripts/lab/receiver/start-receiver.ts'
import { bearerOf } from '#tests/support/peers/token-server.ts'
import { answering, drip, listen, LONG_MS, open, requestTo } from './open-transport.ts'
import { access, openTokenPeers } from './token-peers.ts'

const peers = openTokenPeers()
const { client } = peers

describe('a token that cannot be had', () => {
  const fails = async (fields: Partial<OAuth2Client> = {}, transport = open()) => {
    const { exchange } = await transport.send(requestTo(peers.crm.url), { access: access(client(fields)) })
    expect(peers.crm.requests).toEqual([])
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'authentication' })
    return exchange.kind === 'failure' ? exchange.detail : ''
  }

  it.each<[string, AnswerScript, string]>([
    [
      'refused credentials',
      { status: 400, body: '{"error":"invalid_client","error_description":"client-secret is wrong"}' },
      'The token address answered 400: invalid_client. It says: “•••• is wrong”. Check Client ID, Client secret and Send credentials in.',
    ],
    [
      'an application that Microsoft does not know',
      {
        status: 400,
        body: JSON.stringify({
          error: 'unauthorized_client',
          error_description: `AADSTS700016: Application was not found.\r\n${'x'.repeat(500)}`,
        }),
      },
      `The token address answered 400: unauthorized_client. It says: “AADSTS700016: Application was not found. ${'x'.repeat(259)}…”. Check Token URL, Client ID, Client secret and Scope, and that this client may use the client credentials grant.`,
    ],
    [
      'a refused scope',
      { status: 400, body: '{"error":"invalid_scope"}' },
      'The token address answered 400: invalid_scope. Check Scope.',
    ],
    [
      'an error named like a member of a prototype',
      { status: 400, body: '{"error":"constructor"}' },
      'The token address answered 400: constructor. Check Token URL, Client ID, Client secret and Scope, and that this client may use the client credentials grant.',
    ],
    [
      'a scope that Microsoft misses',
      { status: 400, body: '{"error":"invalid_request"}' },
      'The token address answered 400: invalid_request. Check Token URL, Scope and Send credentials in.',
    ],
    [
      'a client that Salesforce does not know',
      { status: 400, body: '{"error":"invalid_client_id"}' },
      'The token address answered 400: invalid_client_id. Check Client ID and Client secret.',
    ],
    [
      'a client without a user at Salesforce',
      { status: 400, body: '{"error":"invalid_grant"}' },
      'The token address answered 400: invalid_grant. Check Token URL, Client ID, Client secret and Scope, and that this client may use the client credentials grant.',
    ],
    [
      'an error in a 200, as Zoho sends it',
      { status: 200, body: '{"error":"invalid_client"}' },
      'The token address answered 200: invalid_client. Check Client ID, Client secret and Send credentials in.',
    ],
    [
      'an error in a 200 that no standard knows',
      { status: 200, body: '{"error":"general_error"}' },
      'The token address answered 200: general_error. It gave no access token.',
    ],
    [
      'too many requests',
      { status: 429, body: '{"error":"too_many_requests"}' },
      'The token address answered 429: too_many_requests. It asks for fewer requests.',
    ],
    ['a bare 401', 401, 'The token address answered 401. Check Client ID and Client secret.'],
    ['a 404', 404, 'The token address answered 404. Check Token URL.'],
    [
      'a redirect',
      { status: 302, headers: { location: 'http://169.254.169.254/' } },
      'The token address answered 302. Redirects are not followed. Check Token URL.',
    ],
    ['a server error', 503, 'The token address answered 503. It reported an error of its own.'],
    [
      'an error that is not a code',
      { status: 400, body: '{"error":"client-secret\\n"}' },
      String.raw`The token address answered 400. It says: “{"error":"••••\n"}”. Check Token URL, Client ID, Client secret and Scope, and that this client may use the client credentials grant.`,
    ],
    [
      'text that is not OAuth',
      { status: 403, body: '<style>p{}</style><h1>Attention\nRequired!</h1><p>You have been blocked' },
      'The token address answered 403. It says: “Attention Required! You have been blocked”. Check Client ID and Client secret.',
    ],
    [
      'no token',
      { status: 200, body: '{"token":"x"}' },
      'The token address answered 200 but gave no access token.',
    ],
    [
      'a token that splits the header',
      { status: 200, body: '{"access_token":"a\\r\\nX-Evil: 1"}' },
      'The token address answered 200 but gave no access token.',
    ],
    ['no JSON', { status: 200, body: '<html>' }, 'The token address answered 200 but gave no access token.'],
    ['a reset', 'reset', 'The token address closed the connection without an answer.'],
  ])('because of %s fails with a sentence that explains it', async (_what, script, sentence) => {
    peers.tokens.answerWith(script)
    expect(await fails()).toContain(sentence)
  })

  it('because no socket can be opened is our own failure', async () => {
    const noSocket: ResolveName = (_name, _options, callback) => {
      callback(Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' }), [])
    }
    const transport = open(LONG_MS, createAddressGuard(['127.0.0.0/8'], noSocket))
    const { exchange } = await transport.send(requestTo(peers.crm.url), {
      access: access(client({ token_url: 'http://tokens.example.com/token' })),
    })
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'internal_error' })
    expect(peers.crm.requests).toEqual([])
  })

  it('because the token address does not answer leaves time for the rest of the attempt', async () => {
    peers.tokens.answerWith('hang')
    const began = performance.now()
    expect(await fails({}, open(6000))).toBe('The token address did not answer within 2 s.')
    expect(performance.now() - began).toBeLessThan(5500)
  })

  it('because its answer drips or never ends is given up', async () => {
    const slow = await listen((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')
      drip(socket, 'x')
    })
    expect(await fails({ token_url: slow.url }, open(3000))).toContain('did not answer within')

    const chunk = Buffer.alloc(64 * 1024, ' ')
    const endless = await listen((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const pour = (): void => {
        if (!socket.destroyed) socket.write(chunk, pour)
      }
      pour()
    })
    expect(await fails({ token_url: endless.url })).toContain('gave no access token')
  })

  it('because of a bad certificate says what is wrong with the certificate', async () => {
    const past = { from: new Date('2024-01-01'), until: new Date('2025-01-01') }
    const sentences: [TestCertificate, RegExp][] = [
      [selfSigned('localhost'), /^TLS: the token address's certificate is self-signed\./],
      [
        selfSigned('localhost', 'P-256', past),
        /^TLS: the token address's certificate expired \d+ days ago\. Renew it\.$/,
      ],
    ]
    for (const [certificate, sentence] of sentences) {
      const server = await listen(answering('HTTP/1.1 200 OK\r\n\r\n'), { tls: certificate })
      expect(await fails({ token_url: server.url.replace('127.0.0.1', 'localhost') })).toMatch(sentence)
      expect(server.received()).toBe('')
    }
  })

  it('because nothing listens, or because the name does not exist, says so', async () => {
    const gone = await startRawServer(() => undefined)
    await gone.close()
    expect(await fails({ token_url: gone.url })).toContain(
      'The token address refused the connection. Check that it runs',
    )
    const failing: ResolveName = (_name, _options, callback) => {
      callback(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }), [])
    }
    const unknown = { token_url: 'https://id.example.com/token' }
    expect(await fails(unknown, open(LONG_MS, createAddressGuard([], failing)))).toContain(
      'The host name of the token address does not exist. Check Token URL',
    )
  })

  it.each(['http://127.0.0.1', 'http://[::ffff:127.0.0.1]', 'http://localhost', 'http://2130706433'])(
    'from %s, which the guard refuses, is not requested at all',
    async (origin) => {
      const url = new URL(peers.tokens.url)
      const strict = createAddressGuard([])
      const detail = await fails({ token_url: `${origin}:${url.port}/` }, open(LONG_MS, strict))
      expect(detail).toMatch(/public/)
      expect(peers.tokens.requests).toEqual([])
    },
  )

  it('from a name with one private address is refused when it is dialled', async () => {
    const port = new URL(peers.tokens.url).port
    const mixed: ResolveName = (_name, _options, callback) => {
      callback(null, [
        { address: '93.184.216.34', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ])
    }
    const detail = await fails(
      { token_url: `http://id.example.com:${port}/token` },
      open(LONG_MS, createAddressGuard([], mixed)),
    )
    expect(detail).toContain('must be on the public internet')
    expect(peers.tokens.requests).toEqual([])
  })

  it('never quotes credentials', async () => {
    for (const script of [401, { status: 400, body: 'client-secret' }, 'reset'] as const) {
      peers.tokens.answerWith(script)
      expect(await fails()).not.toContain('client-secret')
    }
  })

  it('is asked for again by the next attempt', async () => {
    const transport = open()
    peers.tokens.answerWith(503)
    await fails({}, transport)
    peers.tokens.answerWith({ status: 200, body: '{"access_token":"late"}' })
    await transport.send(requestTo(peers.crm.url), { access: access(client()) })
    expect(peers.crm.requests.map(bearerOf)).toEqual(['late'])
  })

  it('because the transport closes returns a failure', async () => {
    const server = await listen(answering('HTTP/1.1 100 Continue\r\n\r\n'))
    peers.tokens.answerWith('hang')
    const transport = open()
    const sending = transport.send(requestTo(server.url), { access: access(client()) })
    await peers.tokens.waitForCount(1)
    await transport.close()
    expect((await sending).exchange).toMatchObject({ kind: 'failure' })
  })
})
