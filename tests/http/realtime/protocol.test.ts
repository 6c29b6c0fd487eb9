import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { SOCKETS } from '#server/admission/limits.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { PUBLIC_KEY } from '../support/invoke-function.ts'
import {
  askForSocket,
  openSocket,
  type HeardFrame,
  type TestSocket,
  type WireVersion,
} from '../support/open-socket.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
let client: Person
const open: TestSocket[] = []
beforeAll(async () => {
  app = await startApp()
  client = await app.newApprovedClient()
})
afterEach(() => {
  for (const socket of open.splice(0)) socket.hangUp()
})
afterAll(() => app.close())

async function connect(vsn: WireVersion = '2.0.0', apikey = PUBLIC_KEY): Promise<TestSocket> {
  const socket = await openSocket(app.url, { apikey, vsn })
  open.push(socket)
  return socket
}
const reasonOf = ({ payload }: HeardFrame) => (payload['response'] as { reason?: string }).reason
const bindings = (...asked: object[]) => ({ config: { postgres_changes: asked } })

describe.each(['1.0.0', '2.0.0'] as const)('a socket of version %s', (vsn) => {
  test('answers a heartbeat', async () => {
    const socket = await connect(vsn)
    const ref = socket.send('phoenix', 'heartbeat', {})
    expect(await socket.take({ ref })).toEqual({
      join_ref: null,
      ref,
      topic: 'phoenix',
      event: 'phx_reply',
      payload: { status: 'ok', response: {} },
    })
  })

  test('lets a channel be joined and left', async () => {
    const socket = await connect(vsn)
    const joined = await socket.join('room')
    expect(joined).toMatchObject({
      join_ref: joined.ref,
      topic: 'realtime:room',
      payload: { status: 'ok', response: { postgres_changes: [] } },
    })
    const ref = socket.send('realtime:room', 'phx_leave', {}, { join_ref: joined.join_ref })
    expect(await socket.take({ ref })).toMatchObject({ payload: { status: 'ok', response: {} } })
    expect(await socket.take({ event: 'phx_close' })).toMatchObject({
      topic: 'realtime:room',
      join_ref: joined.join_ref,
    })
  })

  test('refuses topics that are no channel, and messages to channels that nobody joined', async () => {
    const socket = await connect(vsn)
    for (const [topic, event] of [
      ['elsewhere', 'phx_join'],
      ['phoenix', 'other'],
      ['realtime:never', 'access_token'],
    ] as const) {
      const ref = socket.send(topic, event, {})
      const { payload } = await socket.take({ ref })
      expect(payload).toEqual({ status: 'error', response: { reason: 'unmatched topic' } })
    }
    expect(reasonOf(await socket.join(''))).toBe('TopicNameRequired: You must provide a topic name')
  })

  test('refuses broadcast and presence by name', async () => {
    const socket = await connect(vsn)
    const { join_ref } = await socket.join('room', { config: { presence: { enabled: true } } })
    expect((await socket.take({ event: 'system' })).payload).toMatchObject({
      extension: 'presence',
      status: 'error',
    })
    const shout = socket.send('realtime:room', 'broadcast', { event: 'shout', payload: {} }, { join_ref })
    expect(reasonOf(await socket.take({ ref: shout }))).toMatch(/^BroadcastNotAvailable: /)
    const track = socket.send('realtime:room', 'presence', { type: 'presence', event: 'track' }, { join_ref })
    expect(reasonOf(await socket.take({ ref: track }))).toMatch(/^PresenceNotAvailable: /)
  })
})

test('a broadcast in binary form is refused by name', async () => {
  const socket = await connect()
  const { join_ref } = await socket.join('room')
  const parts = [join_ref ?? '', '77', 'realtime:room', 'shout', ''].map((part) => Buffer.from(part))
  const head = Buffer.from([3, ...parts.map(({ length }) => length), 1])
  socket.sendRaw(Buffer.concat([head, ...parts, Buffer.from('{"text":"hello"}')]))
  const refused = await socket.take({ ref: '77' })
  expect([refused.topic, reasonOf(refused)]).toEqual([
    'realtime:room',
    expect.stringMatching(/^BroadcastNotAvailable: /),
  ])
})

describe('a join', () => {
  test('repeats each binding in its place, with a whole number that depends on its content alone', async () => {
    const socket = await connect('2.0.0', client.token)
    const asked = [
      { event: 'INSERT', schema: 'public', table: 'leads' },
      { event: '*', schema: 'public' },
      { event: 'INSERT', schema: 'public', table: 'leads' },
    ]
    const { payload } = await socket.join('room', bindings(...asked))
    const { postgres_changes: numbered } = payload['response'] as { postgres_changes: { id: number }[] }
    expect(numbered).toEqual(asked.map((one) => ({ ...one, id: expect.any(Number) as number })))
    const ids = numbered.map(({ id }) => id)
    expect(ids.every((id) => Number.isInteger(id) && id > 0)).toBe(true)
    expect([ids[0] === ids[2], ids[0] === ids[1]]).toEqual([true, false])
    expect((await socket.take({ event: 'system' })).payload).toEqual({
      extension: 'postgres_changes',
      status: 'ok',
      message: 'Subscribed to PostgreSQL',
      channel: 'room',
    })
  })

  test('waits for changes before its reply if the client asks for that', async () => {
    const socket = await connect('2.0.0', client.token)
    const { payload } = await socket.join('room', {
      config: {
        postgres_changes: [{ event: '*', schema: 'public', table: 'leads' }],
        postgres_changes_options: { wait: true },
      },
    })
    expect(payload['status']).toBe('ok')
    await socket.take({ event: 'system' })
  })

  test.each([
    ['a table that nobody hears', { event: '*', schema: 'public', table: 'profiles' }, 'profiles'],
    ['a table that does not exist', { event: '*', schema: 'public', table: 'doesnotexist' }, 'doesnotexist'],
    ['another schema', { event: '*', schema: 'auth', table: 'users' }, 'users'],
    ['an unknown event', { event: 'TRUNCATE', schema: 'public', table: 'leads' }, 'leads'],
  ])('to %s is let in, and told that nothing is heard', async (_what, binding, table) => {
    const socket = await connect('2.0.0', client.token)
    expect((await socket.join('room', bindings(binding))).payload).toMatchObject({ status: 'ok' })
    const { event, schema } = binding
    expect((await socket.take({ event: 'system' })).payload).toEqual({
      extension: 'postgres_changes',
      status: 'error',
      message: `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [event: ${event}, schema: ${schema}, table: ${table}, filters: [], select: nil]`,
      channel: 'room',
    })
  })

  test('with the public key is let in and hears nothing, but not into a private channel', async () => {
    const socket = await connect()
    const hears = bindings({ event: '*', schema: 'public', table: 'leads' })
    expect((await socket.join('room', { ...hears, access_token: PUBLIC_KEY })).payload['status']).toBe('ok')
    expect(reasonOf(await socket.join('private', { config: { private: true } }))).toBe(
      'Unauthorized: You do not have permissions to read from this Channel topic: private',
    )
    expect(socket.heard.some(({ event }) => event === 'system')).toBe(false)
  })

  test('of the same topic takes the place of the earlier one', async () => {
    const socket = await connect()
    const first = await socket.join('room')
    const second = await socket.join('room')
    const late = socket.send('realtime:room', 'presence', {}, { join_ref: first.join_ref })
    expect(reasonOf(await socket.take({ ref: late }))).toBe('unmatched topic')
    const leaves = socket.send('realtime:room', 'phx_leave', {}, { join_ref: first.join_ref })
    expect((await socket.take({ ref: leaves })).payload['status']).toBe('ok')
    const now = socket.send('realtime:room', 'presence', {}, { join_ref: second.join_ref })
    expect(reasonOf(await socket.take({ ref: now }))).toMatch(/^PresenceNotAvailable/)
  })

  test.each([
    ['no object', 'text'],
    ['a list for config', { config: [] }],
    ['a number as table', bindings({ event: '*', schema: 'public', table: 7 })],
    ['too many bindings', bindings(...Array.from({ length: SOCKETS.bindings + 1 }, () => ({ event: '*' })))],
  ])('with %s is refused with the reason', async (_what, payload) => {
    const socket = await connect()
    expect(reasonOf(await socket.join('room', payload))).toMatch(/^InvalidJoinPayload: /)
    expect((await socket.join('room')).payload['status']).toBe('ok')
  })

  test(`is refused beyond ${SOCKETS.joins.atOnce} at once`, async () => {
    const socket = await connect()
    const refs = Array.from({ length: SOCKETS.joins.atOnce + 10 }, (_one, count) =>
      socket.send(`realtime:room-${count % 10}`, 'phx_join', {}),
    )
    const replies = await Promise.all(refs.map((ref) => socket.take({ ref })))
    const reasons = replies.map(reasonOf)
    expect(reasons.at(-1)).toBe('ClientJoinRateLimitReached: Too many joins per second')
    expect(reasons.slice(0, SOCKETS.joins.atOnce).every((reason) => reason === undefined)).toBe(true)
  })
})

test(`a join beyond ${SOCKETS.channelsOfSender} channels of an account is refused, until one is left`, async () => {
  const person = await app.newApprovedClient()
  const full = Math.ceil(SOCKETS.channelsOfSender / SOCKETS.joins.atOnce)
  const sockets = await Promise.all(Array.from({ length: full }, () => connect('2.0.0', person.token)))
  const replies = await Promise.all(
    sockets.flatMap((socket) =>
      Array.from({ length: SOCKETS.joins.atOnce }, (_one, count) => socket.join(`room-${count}`)),
    ),
  )
  const refused = replies.filter(({ payload }) => payload['status'] !== 'ok')
  expect(replies.length - refused.length).toBe(SOCKETS.channelsOfSender)
  expect(new Set(refused.map(reasonOf))).toEqual(
    new Set(refused.length === 0 ? [] : ['ChannelRateLimitReached: Too many channels']),
  )
  const more = await connect('2.0.0', person.token)
  expect(reasonOf(await more.join('room'))).toBe('ChannelRateLimitReached: Too many channels')
  sockets[0]?.hangUp()
  await waitUntil(async () => (await more.join('room')).payload['status'] === 'ok', { what: 'A place' })
})

describe('a handshake', () => {
  test.each([
    ['without a key', {}, { status: 401, error: 'API key is missing' }],
    [
      'with a token that is none',
      { apikey: 'eyJ.x.y' },
      { status: 401, error: 'The token provided is not a valid JWT' },
    ],
    [
      'in an unknown version',
      { apikey: 'x', vsn: '3.0.0' },
      { status: 400, error: 'The vsn must be 1.0.0 or 2.0.0' },
    ],
  ])('%s is refused', async (_what, query, refused) => {
    expect(await askForSocket(app.url, query as Record<string, string>)).toEqual({ refused })
  })

  test('with somebody else’s signature is refused', async () => {
    const [head, body, signature = ''] = client.token.split('.')
    const forged = [head, body, signature.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'))].join('.')
    expect(await askForSocket(app.url, { apikey: forged })).toEqual({
      refused: { status: 401, error: 'Failed to validate JWT signature' },
    })
  })

  test('is refused for a block of addresses with too many sockets, while an approved account still connects', async () => {
    const strangers = await Promise.all(Array.from({ length: SOCKETS.ofBlock - 1 }, () => connect()))
    const own = await connect()
    const refused = { refused: { status: 429, error: 'Too many connected users' } }
    expect(await askForSocket(app.url, { apikey: PUBLIC_KEY })).toEqual(refused)
    // Its join counts the socket for the account.
    await own.join('room', { access_token: client.token })
    const last = await connect()
    expect(await askForSocket(app.url, { apikey: PUBLIC_KEY })).toEqual(refused)
    for (const socket of strangers) socket.hangUp()
    await waitUntil(async () => 'socket' in (await tryOnce()), { what: 'A place' })
    expect(last.closed()).toBeUndefined()
  })
})

async function tryOnce() {
  const answer = await askForSocket(app.url, { apikey: PUBLIC_KEY })
  if ('socket' in answer) open.push(answer.socket)
  return answer
}

describe('requests that open no socket', () => {
  test.each([
    ['GET', '/realtime/v1/websocket?apikey=x', 426, 'Only a websocket can be opened here.'],
    [
      'POST',
      '/realtime/v1/api/broadcast',
      400,
      'This server sends no broadcasts. Channels at /realtime/v1/websocket tell changes of rows only.',
    ],
    [
      'POST',
      '/realtime/v1/api/broadcast/room/events/shout',
      400,
      'This server sends no broadcasts. Channels at /realtime/v1/websocket tell changes of rows only.',
    ],
  ])('%s %s is refused for every origin', async (method, where, status, error) => {
    const answer = await app.call(method, where, { headers: { origin: 'https://elsewhere.example.com' } })
    expect([answer.status, answer.json]).toEqual([status, { error }])
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    const asked = await app.call('OPTIONS', where, { headers: { origin: 'https://elsewhere.example.com' } })
    expect(asked.status).toBe(204)
  })
})

test('the metrics count sockets, channels and messages', async () => {
  const socket = await connect()
  await socket.join('room')
  const { text } = await app.call('GET', '/metrics')
  expect(text).toMatch(/^leadwire_sockets [1-9]/m)
  expect(text).toMatch(/^leadwire_channels [1-9]/m)
  expect(text).toMatch(/^leadwire_socket_messages_total\{event="phx_reply"\} [1-9]/m)
})
