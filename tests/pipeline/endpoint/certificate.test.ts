import { constants } from 'node:crypto'
import tls, { createSecureContext, TLSSocket, type TlsOptions } from 'node:tls'
import { describe, expect, it } from 'vitest'
import type { EndpointAccess } from '#core/endpoint/endpoint-access.ts'
import { createTestAuthority, selfSigned } from '#scripts/chaos/certificate.ts'
import type { Speak } from '#tests/support/peers/raw-server.ts'
import { answering, closeLater, listen, open, requestTo } from './open-transport.ts'

describe('a certificate', () => {
  const answerOk = answering('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
  const authority = createTestAuthority('Leadwire test authority')
  const access: EndpointAccess = {
    authentication: { type: 'none' },
    certificates: { authority: authority.cert, certificate: null, key: null },
    keptAs: 'config-1',
  }
  const stranger = createTestAuthority('Unknown authority')
  const day = 24 * 3600 * 1000
  const expired = { from: new Date(Date.now() - 9 * day), until: new Date(Date.now() - 3.5 * day) }
  const future = { from: new Date(Date.now() + 2.5 * 3600_000), until: new Date(Date.now() + 2 * day) }

  const sendTo = async (options: TlsOptions, speak = answerOk) => {
    const server = await listen(speak, { tls: options })
    const result = await open().send(requestTo(server.url.replace('127.0.0.1', 'localhost')), { access })
    return { ...result, received: server.received() }
  }

  /**
   * Asks for more handshakes after the request, in which the endpoint may show other certificates, and then
   * answers.
   */
  const sendToRepeating = async (times: number) => {
    const limit = tls.CLIENT_RENEG_LIMIT
    // The test's own endpoint would otherwise end the connection first.
    Object.assign(tls, { CLIENT_RENEG_LIMIT: Infinity })
    closeLater(async () => {
      Object.assign(tls, { CLIENT_RENEG_LIMIT: limit })
    })
    let handshakes = 0
    const speak: Speak = (socket, received) => {
      if (!(socket instanceof TLSSocket) || !received.startsWith('POST')) return
      const again = (): void => {
        if (handshakes === times) answerOk(socket, received)
        else if (!socket.destroyed)
          socket.renegotiate({}, () => {
            handshakes += 1
            again()
          })
      }
      socket.setKeyCert(createSecureContext(authority.issue(['localhost'])))
      again()
    }
    const result = await sendTo(
      {
        ...authority.issue(['localhost']),
        maxVersion: 'TLSv1.2',
        secureOptions: constants.SSL_OP_NO_SESSION_RESUMPTION_ON_RENEGOTIATION,
      },
      speak,
    )
    return { ...result, handshakes }
  }

  it('of a trusted authority for the right name is accepted', async () => {
    expect(await sendTo(authority.issue(['localhost']))).toMatchObject({
      exchange: { kind: 'answer', status: 200 },
      body: 'ok',
    })
  })

  it.each([
    ['self-signed', selfSigned('localhost'), 'self-signed'],
    ['of an unknown authority', stranger.issue(['localhost']), 'intermediate certificates'],
    ['expired', authority.issue(['localhost'], expired), 'certificate expired 3 days ago. Renew it.'],
    ['not valid yet', authority.issue(['localhost'], future), 'is not valid yet: it will be in 2 hours.'],
    [
      'for another name',
      authority.issue(['crm.example.com', '127.0.0.1']),
      'is for another name (it names crm.example.com, 127.0.0.1)',
    ],
    [
      'for another name in invalid characters',
      authority.issue(['crm.example.com<b>', 'x y']),
      'is for another host name.',
    ],
  ])('that is %s is refused, and nothing is sent', async (_what, tls, words) => {
    const { exchange, received } = await sendTo(tls)
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'tls' })
    expect(exchange).toHaveProperty('detail', expect.stringContaining(words))
    expect(received).toBe('')
  })

  it('with a long chain or many names is accepted, because a separate process checks it', async () => {
    const names = Array.from({ length: 2000 }, (_, number) => `${number}.crm.example.com`)
    for (const shown of [authority.issueChain('localhost', 40), authority.issue(['localhost', ...names])])
      expect((await sendTo(shown)).exchange).toMatchObject({ kind: 'answer', status: 200 })
  })

  it('may be shown again on an open connection, but not many times', async () => {
    expect((await sendToRepeating(1)).exchange).toMatchObject({ kind: 'answer', status: 200 })
    const { exchange, handshakes } = await sendToRepeating(100)
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'tls' })
    expect(exchange).toHaveProperty('detail', expect.stringContaining('one handshake after the other'))
    expect(handshakes).toBeLessThan(5)
  })

  it('is refused in a handshake that would reveal the size of our numbers', async () => {
    const { exchange, received } = await sendTo({
      ...selfSigned('localhost', 'rsa'),
      maxVersion: 'TLSv1.2',
      dhparam: 'auto',
      ciphers: 'DHE-RSA-AES256-GCM-SHA384',
    })
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'tls' })
    expect(exchange).toHaveProperty('detail', expect.stringContaining('no cipher with ECDHE or RSA'))
    expect(received).toBe('')
  })

  it('is checked again on every connection, even if the first check has failed', async () => {
    const server = await listen(answerOk, { tls: authority.issue(['crm.example.com']) })
    const transport = open()
    const request = requestTo(server.url.replace('127.0.0.1', 'localhost'))
    for (let tries = 0; tries < 5; tries += 1) {
      const { exchange } = await transport.send(request, { access })
      expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'tls' })
    }
    expect(server.received()).toBe('')
  })

  it('cannot be read where the endpoint speaks plain HTTP', async () => {
    const server = await listen(answerOk)
    const { exchange } = await open().send(requestTo(server.url.replace('http:', 'https:')))
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'tls' })
  })

  it('does not help an endpoint that speaks only old TLS', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    const { exchange } = await sendTo({ ...authority.issue(['localhost']), ...old })
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'tls' })
    expect(exchange).toHaveProperty('detail', expect.stringMatching(/VERSION|PROTOCOL/i))
  })
})
