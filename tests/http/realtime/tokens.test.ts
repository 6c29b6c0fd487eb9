import { createClient } from '@supabase/supabase-js'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { GivenRole } from '#core/contract/accounts/member-role.ts'
import { signAccessToken } from '#server/identity/access-token.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { callMembers, givenMember } from '../accounts/members/given-members.ts'
import { PUBLIC_KEY } from '../support/invoke-function.ts'
import { askForSocket, openSocket, type HeardFrame, type TestSocket } from '../support/open-socket.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'
import { hears, listen, SUBSCRIBED } from './listen.ts'

let app: TestApp
const open: TestSocket[] = []
beforeAll(async () => {
  app = await startApp()
})
afterEach(() => {
  for (const socket of open.splice(0)) socket.hangUp()
})
afterAll(() => app.close())

const messageOf = ({ payload }: HeardFrame) => payload['message']

async function connect(apikey = PUBLIC_KEY, url = app.url): Promise<TestSocket> {
  const socket = await openSocket(url, { apikey, vsn: '2.0.0' })
  open.push(socket)
  return socket
}

/** The same session's token with another end. */
async function tokenThatExpires(person: Person, inSeconds: number): Promise<string> {
  const { session_id: id } = decodeJwt<{ session_id: string }>(person.token)
  const user = {
    id: person.id,
    email: person.email,
    phone: null,
    role: 'authenticated',
    app_metadata: {},
    user_metadata: {},
    is_anonymous: false,
  }
  const now = Math.floor(Date.now() / 1000) - app.context.config.auth.tokenSeconds + inSeconds
  const subject = { user, session: { id, aal: 'aal1', amr: [] } }
  return (await signAccessToken(app.context, subject, now)).access_token
}

/** Expects the end of a channel with this message. */
async function expectEnd(socket: TestSocket, event: string, message: string): Promise<void> {
  const told = await socket.take(({ payload }) => payload['status'] === 'error')
  expect(told.payload).toEqual({
    extension: 'system',
    status: 'error',
    message,
    channel: told.topic.replace('realtime:', ''),
  })
  const end = await socket.take({ event })
  expect([end.topic, end.join_ref]).toEqual([told.topic, told.join_ref])
}

describe('a channel', () => {
  test('ends when its token expires, while the socket and other channels go on', async () => {
    const [person, other] = [await app.newApprovedClient(), await app.newApprovedClient()]
    const socket = await connect()
    const kept = await listen(socket, 'client_balances', other.token)
    await listen(socket, 'leads', await tokenThatExpires(person, 4))
    await waitUntil(() => socket.heard.some(({ event }) => event === 'phx_close'), { what: 'The end' })
    await expectEnd(socket, 'phx_close', 'Token has expired')
    const ref = socket.send('realtime:client_balances', 'presence', {}, { join_ref: kept })
    expect((await socket.take({ ref })).payload['response']).not.toEqual({ reason: 'unmatched topic' })
    expect(socket.closed()).toBeUndefined()
  })

  test('goes on with a newer token of the same session, without another word', async () => {
    const person = await app.newApprovedClient()
    const socket = await connect()
    const join_ref = await listen(socket, 'leads', await tokenThatExpires(person, 4))
    socket.send('realtime:leads', 'access_token', { access_token: person.token }, { join_ref })
    const later = await listen(socket, 'client_balances', await tokenThatExpires(person, 5))
    await socket.take({ event: 'phx_close', join_ref: later })
    expect(socket.heard.filter((frame) => frame.join_ref === join_ref).map(({ event }) => event)).toEqual([
      'phx_reply',
      'system',
    ])
  })

  test('ignores the public key, nothing, and the same token', async () => {
    const person = await app.newApprovedClient()
    const socket = await connect()
    const join_ref = await listen(socket, 'leads', person.token)
    for (const access_token of [PUBLIC_KEY, null, '', 7, person.token])
      socket.send('realtime:leads', 'access_token', { access_token }, { join_ref })
    const ref = socket.send('realtime:leads', 'phx_leave', {}, { join_ref })
    await socket.take({ ref })
    expect(socket.heard.filter(({ event }) => event === 'system')).toHaveLength(1)
  })

  test.each([
    ['an expired token', async (person: Person) => await tokenThatExpires(person, -5), 'Token has expired'],
    [
      'a token that is none',
      async () => await Promise.resolve('eyJ.x.y'),
      'The token provided is not a valid JWT',
    ],
  ])('ends when it is given %s', async (_what, make, message) => {
    const person = await app.newApprovedClient()
    const socket = await connect()
    const join_ref = await listen(socket, 'leads', person.token)
    socket.send('realtime:leads', 'access_token', { access_token: await make(person) }, { join_ref })
    await expectEnd(socket, 'phx_close', message)
  })

  test('that was joined with the public key hears from the first token of a person on', async () => {
    const person = await app.newApprovedClient()
    const socket = await connect()
    const { join_ref } = await socket.join('leads', { ...hears('leads'), access_token: PUBLIC_KEY })
    expect(socket.heard.map(({ event }) => event)).toEqual(['phx_reply'])
    socket.send('realtime:leads', 'access_token', { access_token: person.token }, { join_ref })
    expect((await socket.take({ event: 'system' })).payload).toMatchObject(SUBSCRIBED)
  })

  test('hears for another person after their token came', async () => {
    const [first, second] = [await app.newApprovedClient(), await app.newApprovedClient()]
    const socket = await connect()
    const join_ref = await listen(socket, 'leads', first.token)
    socket.send('realtime:leads', 'access_token', { access_token: second.token }, { join_ref })
    expect((await socket.take({ event: 'system' })).payload).toMatchObject(SUBSCRIBED)
    await app.call('POST', '/auth/v1/logout', { token: first.token })
    await app.call('POST', '/auth/v1/logout', { token: second.token })
    await expectEnd(socket, 'phx_close', 'The session of this access token has ended.')
    expect(socket.heard.filter(({ event }) => event === 'phx_close')).toHaveLength(1)
  })

  test('ends with its session, and with a suspension', async () => {
    const [left, suspended] = [await app.newApprovedClient(), await app.newApprovedClient()]
    const sockets = [await connect(), await connect()] as const
    await listen(sockets[0], 'leads', left.token)
    await listen(sockets[1], 'leads', suspended.token)
    await app.call('POST', '/auth/v1/logout?scope=local', { token: left.token })
    await expectEnd(sockets[0], 'phx_close', 'The session of this access token has ended.')
    await app.context.db
      .updateTable('profiles')
      .set({ status: 'suspended' })
      .where('user_id', '=', suspended.id)
      .execute()
    await expectEnd(sockets[1], 'phx_close', 'The session of this access token has ended.')
    const { payload } = await sockets[1].join('leads', { access_token: suspended.token })
    expect(payload['response']).toEqual({ reason: 'Unauthorized: This account is suspended.' })
  })

  test('that cannot be judged is refused for now, while the socket and its other channels go on', async () => {
    const person = await app.newApprovedClient()
    const socket = await connect()
    await listen(socket, 'leads', person.token)
    const { db } = app.context
    await sql`alter table auth.sessions rename to sessions_away`.execute(db)
    const { payload } = await socket.join('room', { access_token: person.token })
    await sql`alter table auth.sessions_away rename to sessions`.execute(db)
    expect(payload['response']).toEqual({
      reason: 'UnableToConnectToProject: The database cannot be reached',
    })
    expect((await socket.join('room', { access_token: person.token })).payload['status']).toBe('ok')
    expect(socket.heard.some(({ event }) => event === 'phx_close' || event === 'phx_error')).toBe(false)
  })

  test('is refused while the account’s second factor is owed', async () => {
    const person = await app.newApprovedClient()
    await app.context.db
      .insertInto('auth.factors')
      .values({
        user_id: person.id,
        factor_type: 'totp',
        status: 'verified',
        friendly_name: 'phone',
      } as never)
      .execute()
    const refused = await askForSocket(app.url, { apikey: person.token })
    expect(refused).toEqual({
      refused: {
        status: 401,
        error: 'This account has a second factor. Enter its code, then try again.',
      },
    })
  })
})

test('the client library sees the end of a token as the end of its channel, and joins again with the next', async () => {
  const person = await app.newApprovedClient()
  let token = await tokenThatExpires(person, 4)
  const client = createClient(app.url, PUBLIC_KEY, { accessToken: () => Promise.resolve(token) })
  // The library's first join does not wait for the token.
  await client.realtime.setAuth()
  const seen: string[] = []
  const told: unknown[] = []
  client
    .channel('room')
    .on('postgres_changes', { event: '*', schema: 'public', table: 'leads' }, () => undefined)
    .on('system' as never, {} as never, ((message: unknown) => told.push(message)) as never)
    .subscribe((status) => seen.push(status))
  await waitUntil(() => seen.includes('CLOSED'), { what: 'The end of the channel' })
  expect(seen).toEqual(['SUBSCRIBED', 'CLOSED'])
  expect(told).toMatchObject([SUBSCRIBED, { status: 'error', message: 'Token has expired' }])
  token = person.token
  await client.realtime.setAuth()
  const again: string[] = []
  client.channel('room').subscribe((status) => again.push(status))
  await waitUntil(() => again.length > 0, { what: 'The channel again' })
  expect(again).toEqual(['SUBSCRIBED'])
  await client.removeAllChannels()
})

describe('a person of an account', () => {
  test('who is removed, or gets another role, hears nothing more', async () => {
    const owner = await app.newApprovedClient()
    const agent = await givenMember(app, owner, 'agent')
    const socket = await connect()
    await listen(socket, 'leads', agent.token)
    const changed = await callMembers(app, owner, 'PATCH', `/${agent.id}`, { role: 'finance' })
    expect(changed.status).toBe(200)
    await expectEnd(socket, 'phx_error', 'Your role in the account has changed.')
    // The client library joins again by itself.
    await socket.join('leads', { ...hears('leads'), access_token: agent.token })
    expect(messageOf(await socket.take({ event: 'system' }))).toContain('table: leads')
    await listen(socket, 'client_balances', agent.token)
    expect((await callMembers(app, owner, 'DELETE', `/${agent.id}`)).status).toBe(204)
    await expectEnd(socket, 'phx_close', 'The session of this access token has ended.')
  })

  test.each([
    ['owner', ['leads', 'webhook_delivery_logs', 'client_webhook_configs', 'client_balances']],
    ['manager', ['leads', 'webhook_delivery_logs', 'client_webhook_configs']],
    ['agent', ['leads', 'webhook_delivery_logs', 'client_webhook_configs']],
    ['finance', ['client_balances']],
  ] as [GivenRole, string[]][])('with the role %s hears of %j', async (role, heard) => {
    const owner = await app.newApprovedClient()
    const person = await givenMember(app, owner, role)
    const socket = await connect()
    for (const table of ['leads', 'webhook_delivery_logs', 'client_webhook_configs', 'client_balances']) {
      await socket.join(table, { ...hears(table), access_token: person.token })
      const { payload } = await socket.take({ event: 'system' })
      expect([table, payload['status']]).toEqual([table, heard.includes(table) ? 'ok' : 'error'])
    }
  })
})
