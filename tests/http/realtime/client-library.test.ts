import { createClient } from '@supabase/supabase-js'
import { SignJWT } from 'jose'
import { createClient as createOldClient } from 'supabase-js-2-50'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitUntil } from '#tests/support/condition.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { PUBLIC_KEY } from '../support/invoke-function.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
let person: Person
beforeAll(async () => {
  app = await startApp()
  person = await app.newApprovedClient()
})
afterAll(() => app.close())

/** The parts of a client that these cases use; both releases have them. */
type Client = Pick<
  ReturnType<typeof createClient>,
  'channel' | 'removeChannel' | 'removeAllChannels' | 'getChannels'
> & {
  auth: { signInWithPassword: (by: { email: string; password: string }) => Promise<{ error: unknown }> }
  realtime: { isConnected: () => boolean; setAuth: (token?: string) => Promise<void> }
}
type Options = { accessToken?: () => Promise<string> }

const auth = { persistSession: false, autoRefreshToken: false }
/** Unmodified clients. */
const CLIENTS = [
  [
    '2.119, version 1.0.0',
    (options: Options) =>
      createClient(app.url, PUBLIC_KEY, { auth, ...options, realtime: { ...REALTIME, vsn: '1.0.0' } }),
  ],
  [
    '2.119, version 2.0.0',
    (options: Options) =>
      createClient(app.url, PUBLIC_KEY, { auth, ...options, realtime: { ...REALTIME, vsn: '2.0.0' } }),
  ],
  [
    '2.50.0',
    (options: Options) =>
      createOldClient(app.url, PUBLIC_KEY, { auth, ...options, realtime: { heartbeatIntervalMs: 500 } }),
  ],
] as unknown as [string, (options: Options) => Client][]
/** Short beats: the newer release disconnects two beats after its last channel. */
const REALTIME = { heartbeatIntervalMs: 500 }

async function subscribe(channel: ReturnType<Client['channel']>): Promise<void> {
  const seen: string[] = []
  channel.subscribe((status, error) =>
    seen.push(error === undefined ? status : `${status}: ${error.message}`),
  )
  await waitUntil(() => seen.length > 0, { what: 'A status' })
  expect(seen).toEqual(['SUBSCRIBED'])
}

describe.each(CLIENTS)('supabase-js %s', (_name, create) => {
  const isOld = _name === '2.50.0'
  const config = { config: { broadcast: { ack: true }, private: true } }

  async function signIn(): Promise<Client> {
    const client = create({})
    const { error } = await client.auth.signInWithPassword({ email: person.email, password: PASSWORD })
    expect(error).toBeNull()
    await client.realtime.setAuth()
    return client
  }

  test('socket stays connected when switching channels (no race condition)', async () => {
    const client = await signIn()
    const first = client.channel('one', config)
    await subscribe(first)
    const removed = client.removeChannel(first)
    // The older release forgets all of its channels when one is removed.
    if (isOld) await removed
    const second = client.channel('two', config)
    await subscribe(second)
    expect(await removed).toBe('ok')
    if (!isOld) expect(client.realtime.isConnected()).toBe(true)
    expect(client.getChannels().map(({ topic }) => topic)).toEqual(['realtime:two'])
    await client.removeAllChannels()
  })

  test('socket disconnects after removeChannel when no channels remain', async () => {
    const client = await signIn()
    const channel = client.channel('room', config)
    await subscribe(channel)
    expect(await client.removeChannel(channel)).toBe('ok')
    await waitUntil(() => !client.realtime.isConnected(), { what: 'The end of the socket' })
  })

  test('socket disconnects after channel.unsubscribe() when no channels remain', async () => {
    const client = await signIn()
    const channel = client.channel('room', config)
    await subscribe(channel)
    expect(await channel.unsubscribe()).toBe('ok')
    if (isOld) await client.removeAllChannels()
    await waitUntil(() => !client.realtime.isConnected(), { what: 'The end of the socket' })
  })

  test('removeAllChannels disconnects socket immediately', async () => {
    const client = await signIn()
    await subscribe(client.channel('one', config))
    await subscribe(client.channel('two', config))
    await client.removeAllChannels()
    expect([client.realtime.isConnected(), client.getChannels()]).toEqual([false, []])
  })

  test('will connect with a properly signed jwt token', async () => {
    const { alg, kid, privateKey } = app.context.identity.keys.signing
    const token = await new SignJWT({ sub: '1234567890', role: 'anon', iss: 'elsewhere' })
      .setProtectedHeader({ alg, kid })
      .setExpirationTime('1h')
      .sign(privateKey)
    const client = create({ accessToken: () => Promise.resolve(token) })
    await subscribe(client.channel('room'))
    await client.removeAllChannels()
  })

  test('is refused a private channel while nobody is signed in', async () => {
    const client = create({})
    const seen: string[] = []
    client
      .channel('room', config)
      .subscribe((status, error) => seen.push(`${status} ${error?.message ?? ''}`))
    await waitUntil(() => seen.length > 0, { what: 'A status' })
    expect(seen[0]).toContain(
      'Unauthorized: You do not have permissions to read from this Channel topic: room',
    )
    await client.removeAllChannels()
  })

  test('is refused a broadcast', async () => {
    const client = await signIn()
    const channel = client.channel('room', config)
    await subscribe(channel)
    expect(await channel.send({ type: 'broadcast', event: 'shout', payload: { text: 'hello' } })).toBe(
      'error',
    )
    expect(await channel.track({ at: 'desk' })).toBe('error')
    await client.removeAllChannels()
    expect(await client.channel('other').send({ type: 'broadcast', event: 'shout', payload: {} })).toBe(
      'error',
    )
  })

  test('finds each of its bindings in the reply', async () => {
    const client = await signIn()
    const told: unknown[] = []
    const channel = client
      .channel('room')
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'leads' }, () => undefined)
      .on('postgres_changes', { event: '*', schema: 'public' }, () => undefined)
      .on('system' as never, {} as never, ((message: unknown) => told.push(message)) as never)
    await subscribe(channel)
    await waitUntil(() => told.length > 0, { what: 'A message of the system' })
    expect(told).toContainEqual(
      expect.objectContaining({ status: 'ok', message: 'Subscribed to PostgreSQL' }),
    )
    await client.removeAllChannels()
  })
})
