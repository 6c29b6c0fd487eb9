import { createConnection } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { SOCKETS } from '#server/admission/limits.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { PUBLIC_KEY } from '../support/invoke-function.ts'
import { openSocket, type TestSocket } from '../support/open-socket.ts'
import { openLine } from '../support/speak-http.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
const open: TestSocket[] = []
beforeAll(async () => {
  app = await startApp()
})
afterEach(async () => {
  for (const socket of open.splice(0)) socket.hangUp()
  // The server still answers others.
  const socket = await openSocket(app.url, { apikey: PUBLIC_KEY })
  expect((await socket.join('room')).payload['status']).toBe('ok')
  socket.hangUp()
})
afterAll(() => app.close())

async function connect(vsn = '2.0.0'): Promise<TestSocket> {
  const socket = await openSocket(app.url, { apikey: PUBLIC_KEY, vsn })
  open.push(socket)
  return socket
}
async function expectClosed(socket: TestSocket, code: number): Promise<void> {
  await waitUntil(() => socket.closed() !== undefined, { what: 'The end of the socket' })
  expect(socket.closed()?.code).toBe(code)
}
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

describe('a socket is closed for', () => {
  const text = { topic: 'realtime:room', event: 'phx_join', payload: {} }
  test.each([
    ['text that is no JSON', '2.0.0', 'hello'],
    ['nothing', '2.0.0', ''],
    ['JSON that is no message', '2.0.0', '{}'],
    ['a message of the other version', '1.0.0', '["1","1","realtime:room","phx_join",{}]'],
    ['a message of the other version', '2.0.0', JSON.stringify({ ...text, ref: '1' })],
    ['a message that is too short', '2.0.0', '["1","1","realtime:room","phx_join"]'],
    ['refs that are no text', '2.0.0', '[1,1,"realtime:room","phx_join",{}]'],
    ['a ref that is too long', '1.0.0', JSON.stringify({ ...text, ref: 'x'.repeat(1000) })],
    ['a topic that is no text', '2.0.0', '["1","1",{"a":1},"phx_join",{}]'],
    [
      'a topic that is too long',
      '2.0.0',
      JSON.stringify(['1', '1', `realtime:${'x'.repeat(1000)}`, 'phx_join', {}]),
    ],
    ['a list 30,000 levels deep', '2.0.0', deep(30_000)],
    ['bytes', '1.0.0', new Uint8Array([3, 1, 1, 1, 1, 1, 1])],
    ['bytes of an unknown kind', '2.0.0', new Uint8Array([4, 0, 0, 0, 0])],
    ['bytes that promise more than they hold', '2.0.0', new Uint8Array([3, 255, 255, 255, 255, 255, 1])],
    ['no bytes', '2.0.0', new Uint8Array()],
  ])('%s (%s)', async (_what, vsn, data) => {
    const socket = await connect(vsn)
    socket.sendRaw(data)
    await expectClosed(socket, 1003)
  })

  test.each([
    ['a list 100,000 levels deep', deep(100_000)],
    ['10 MB', 'x'.repeat(10 * 1024 * 1024)],
  ])('%s, which is too long', async (_what, data) => {
    const socket = await connect()
    socket.sendRaw(data)
    await expectClosed(socket, 1009)
  })

  test('text that is no UTF-8', async () => {
    const socket = await connect()
    socket.ws.send(Buffer.from([0x22, 0xff, 0xfe, 0x22]), { binary: false })
    await expectClosed(socket, 1007)
  })

  test('more messages than anybody sends', async () => {
    const socket = await connect()
    for (let count = 0; count < SOCKETS.messages.atOnce * 2; count += 1)
      socket.send('phoenix', 'heartbeat', {})
    await expectClosed(socket, 1008)
    expect(socket.heard.length).toBeLessThan(SOCKETS.messages.atOnce * 2)
  })

  test('more tokens than anybody sends', async () => {
    const socket = await connect()
    const { join_ref } = await socket.join('room')
    for (let count = 0; count < SOCKETS.joins.atOnce * 2; count += 1)
      socket.send('realtime:room', 'access_token', { access_token: `eyJ.${count}.x` }, { join_ref })
    await waitUntil(
      () => socket.closed() !== undefined || socket.heard.some(({ event }) => event === 'phx_close'),
    )
  })
})

test('a join 30,000 levels deep is refused, and the socket stays open', async () => {
  const socket = await connect()
  for (const payload of [
    `{"config":${deep(30_000)}}`,
    `{"config":{"postgres_changes":[${deep(30_000)}]}}`,
    `{"config":{"postgres_changes":[{"event":"*","schema":${deep(30_000)}}]}}`,
  ]) {
    socket.sendRaw(`["9","9","realtime:room","phx_join",${payload}]`)
    const { payload: reply } = await socket.take({ ref: '9' })
    expect(reply).toMatchObject({ status: 'error' })
    expect(JSON.stringify(reply).length).toBeLessThan(500)
  }
  expect(socket.closed()).toBeUndefined()
})

test('a topic or binding cannot break out of its place in a message', async () => {
  const socket = await connect()
  const name = '","phx_close",{}]\u2028\u0000'
  const binding = { event: 'INSERT"}', schema: 'public', table: '"],"x":["', filter: '\\' }
  const { topic, payload } = await socket.join(name, { config: { postgres_changes: [binding] } })
  expect(topic).toBe(`realtime:${name}`)
  expect(payload['response']).toMatchObject({ postgres_changes: [binding] })
})

describe('a handshake', () => {
  const ask = (path: string, more: string[] = []) =>
    [
      `GET ${path} HTTP/1.1`,
      'Host: localhost',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ...more,
      '',
      '',
    ].join('\r\n')

  test('elsewhere is answered like any other request', async () => {
    const line = await openLine(app.url)
    line.say(ask('/healthz'))
    expect(await line.hears(200)).toContain('alive')
    line.hangUp()
  })

  test('without the key of RFC 6455 is refused', async () => {
    const line = await openLine(app.url)
    line.say(ask(`/realtime/v1/websocket?apikey=x`).replace(/Sec-WebSocket-Key.*\r\n/, ''))
    await line.hears(400)
    line.hangUp()
  })

  test('behind a request that is still being answered gets no socket', async () => {
    const line = await openLine(app.url)
    line.say(`GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n${ask('/realtime/v1/websocket?apikey=x')}`)
    await waitUntil(() => !app.isConnected(line.port), { what: 'The end of the connection' })
    expect(line.heard()).not.toContain('101 Switching Protocols')
    line.hangUp()
  })

  test('with an address that cannot be read is refused', async () => {
    const line = await openLine(app.url)
    line.say(ask('/realtime/v1/websocket?apikey=%ff%&vsn=%'))
    await line.hears(400)
    line.hangUp()
  })

  test('that is broken off costs nobody else anything', async () => {
    const { hostname, port } = new URL(app.url)
    for (let count = 0; count < 50; count += 1) {
      const socket = createConnection({ host: hostname, port: Number(port) })
      socket.on('error', () => undefined)
      socket.write(ask('/realtime/v1/websocket?apikey=x'), () => socket.resetAndDestroy())
    }
    await waitUntil(async () => /^leadwire_sockets 0$/m.test((await app.call('GET', '/metrics')).text), {
      what: 'The end of all sockets',
    })
  })
})
