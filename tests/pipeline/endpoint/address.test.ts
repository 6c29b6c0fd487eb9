import { randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createAddressGuard } from '#core/endpoint/guard-address.ts'
import type { ResolveName } from '#core/endpoint/look-ups.ts'
import { allClosed, answering, listen, LONG_MS, open, requestTo } from './open-transport.ts'

describe('an address', () => {
  const answerOk = answering('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok')
  const resolving =
    (...rounds: string[][]): ResolveName =>
    (_name, _options, callback) => {
      const round = (rounds.length > 1 ? rounds.shift() : rounds[0]) ?? []
      callback(
        null,
        round.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    }

  it.each(['127.0.0.1', '[::ffff:127.0.0.1]', '0.0.0.0', 'localhost'])(
    'such as %s is refused when it is dialled, even if it was saved',
    async (host) => {
      const server = await listen(answerOk)
      const { exchange, remoteAddress } = await open(LONG_MS, createAddressGuard([])).send(
        requestTo(`http://${host}:${server.port}/`),
      )
      expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'blocked_address' })
      expect({ remoteAddress, accepted: server.accepted() }).toEqual({ remoteAddress: null, accepted: 0 })
    },
  )

  it.each([
    [['127.0.0.2']],
    [['127.0.0.1', '127.0.0.2']],
    [['127.0.0.2', '127.0.0.1']],
    [['127.0.0.1', '::1']],
  ])('in %j that is not allowed makes the whole name refused', async (addresses) => {
    const server = await listen(answerOk, { host: '0.0.0.0' })
    const guard = createAddressGuard(['127.0.0.1/32'], resolving(addresses))
    const { exchange } = await open(LONG_MS, guard).send(requestTo(`http://crm.example.com:${server.port}/`))
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'blocked_address' })
    expect(server.accepted()).toBe(0)
  })

  it('is checked at every dial, so a name that changes its address reaches nothing', async () => {
    const server = await listen(answerOk, { host: '0.0.0.0' })
    const guard = createAddressGuard(['127.0.0.1/32'], resolving(['127.0.0.1'], ['127.0.0.2']))
    const transport = open(LONG_MS, guard)
    const url = `http://crm.example.com:${server.port}/hook`
    expect((await transport.send(requestTo(url))).exchange).toMatchObject({ kind: 'answer', status: 200 })
    await allClosed(server)
    expect((await transport.send(requestTo(url))).exchange).toMatchObject({ errorClass: 'blocked_address' })
    expect(server.accepted()).toBe(1)
  })

  it('that a request is not meant for is not sent it', async () => {
    const server = await listen(answerOk, { host: '0.0.0.0' })
    const guard = createAddressGuard(['127.0.0.0/8'], resolving(['127.0.0.1'], ['127.0.0.2']))
    const transport = open(LONG_MS, guard)
    const request = { ...requestTo(`http://crm.example.com:${server.port}/hook`), onlyTo: ['127.0.0.1'] }
    expect((await transport.send(request)).exchange).toMatchObject({ kind: 'answer', status: 200 })
    await allClosed(server)
    const refused = await transport.send(request)
    expect(refused).toMatchObject({ exchange: { errorClass: 'blocked_address' }, remoteAddress: '127.0.0.2' })
    await allClosed(server)
    expect(server.received().match(/POST \/hook/g)).toHaveLength(1)
  })

  it('that a name lacks fails as a DNS error', async () => {
    const failing: ResolveName = (_name, _options, callback) => {
      callback(Object.assign(new Error('getaddrinfo'), { code: 'EAI_FAIL' }), [])
    }
    for (const resolve of [resolving([]), failing]) {
      const { exchange } = await open(LONG_MS, createAddressGuard([], resolve)).send(
        requestTo('https://crm.example.com/'),
      )
      expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'dns' })
    }
  })

  it('that no name server tells fails as a DNS error before the attempt is over, and is looked up once', async () => {
    let asked = 0
    const silent: ResolveName = () => {
      asked += 1
    }
    const transport = open(LONG_MS, createAddressGuard([], silent, { mostMs: 50 }))
    for (const _ of [1, 2]) {
      const { exchange, remoteAddress } = await transport.send(requestTo('https://crm.example.com/'))
      expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'dns' })
      expect(exchange).toHaveProperty('detail', expect.stringContaining('could not be resolved right now'))
      expect(remoteAddress).toBeNull()
    }
    expect(asked).toBe(1)
  })
})

describe('a port', () => {
  /** Chooses a loopback address that no service and no other test uses. */
  const chooseHost = (): string => `127.93.${randomInt(256)}.${randomInt(1, 255)}`
  const guardFor = (host: string) =>
    createAddressGuard([`${host}/32`], (_name, _options, callback) => {
      callback(null, [{ address: host, family: 4 }])
    })
  const answerOk = answering('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok')

  it.each([
    [5900, 'https'],
    [5900, 'http'],
    [8500, 'http'],
    [6379, 'http'],
    [9200, 'http'],
  ])(
    'such as %i of a known service is refused when it is dialled (%s), even if it was saved',
    async (port, scheme) => {
      const host = chooseHost()
      const server = await listen(answerOk, { host, port })
      for (const name of [host, 'crm.example.com']) {
        const { exchange, remoteAddress } = await open(LONG_MS, guardFor(host)).send(
          requestTo(`${scheme}://${name}:${port}/hook`),
        )
        expect(exchange).toEqual({
          kind: 'failure',
          errorClass: 'blocked_address',
          detail: `Port ${port} cannot be used for webhooks. Use 443, 80 or a port of your web server from 1024 upwards. Nothing was sent. Check the port in Endpoint URL.`,
        })
        expect({ remoteAddress, accepted: server.accepted() }).toEqual({ remoteAddress: null, accepted: 0 })
      }
    },
  )

  it('of a web server other than 80 and 443 is dialled', async () => {
    const host = chooseHost()
    const server = await listen(answerOk, { host, port: 8443 })
    const { exchange } = await open(LONG_MS, guardFor(host)).send(
      requestTo('http://crm.example.com:8443/hook'),
    )
    expect(exchange).toMatchObject({ kind: 'answer', status: 200 })
    expect(server.accepted()).toBe(1)
  })
})
