import { createClient } from '@supabase/supabase-js'
import { createClient as createOldClient } from 'supabase-js-2-50'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { waitUntil } from '#tests/support/condition.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { PUBLIC_KEY } from '../support/invoke-function.ts'
import { newLead, startApp, type Person, type TestApp } from '../support/start-app.ts'
import { createWebhook } from './given-webhooks.ts'

let app: TestApp
const ends: (() => unknown)[] = []
beforeAll(async () => {
  app = await startApp()
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})
afterAll(() => app.close())

const TABLE = 'client_webhook_configs'
const auth = { persistSession: false, autoRefreshToken: false }
type Client = ReturnType<typeof createClient>
/** Unmodified clients. */
const CLIENTS = [
  ['2.119, version 1.0.0', () => createClient(app.url, PUBLIC_KEY, { auth, realtime: { vsn: '1.0.0' } })],
  ['2.119, version 2.0.0', () => createClient(app.url, PUBLIC_KEY, { auth, realtime: { vsn: '2.0.0' } })],
  ['2.50.0', () => createOldClient(app.url, PUBLIC_KEY, { auth })],
] as unknown as [string, () => Client][]

interface HeardChange {
  eventType: string
  schema: string
  table: string
  commit_timestamp: string
  new: Record<string, unknown>
  old: Record<string, unknown>
  errors: unknown
}
interface Binding {
  event: string
  schema: string
  table?: string
  filter?: string
}

/** Listens with a client, and returns what arrives once changes are heard. */
async function listen(client: Client, person: Person | undefined, bindings: Binding[], isHeard = true) {
  if (person !== undefined) await client.auth.signInWithPassword({ email: person.email, password: PASSWORD })
  const heard: HeardChange[] = []
  const told: { status: string; message: string }[] = []
  const seen: string[] = []
  const channel = client.channel('any')
  for (const binding of bindings) {
    channel.on(
      'postgres_changes' as never,
      binding as never,
      ((change: HeardChange) => heard.push(change)) as never,
    )
  }
  channel.on('system' as never, {} as never, ((message: (typeof told)[0]) => told.push(message)) as never)
  channel.subscribe((status) => seen.push(status))
  ends.push(() => client.removeAllChannels())
  await waitUntil(() => seen.includes('SUBSCRIBED'), { what: 'The channel' })
  if (isHeard) await waitUntil(() => told.length > 0, { what: 'A message of the system' })
  return { heard, told }
}

const renameWebhook = ({ token }: Person, id: string, webhook_name: string) =>
  app.call('PATCH', `/api/v1/webhook-configs/${id}`, { token, body: { webhook_name } })
const deleteWebhook = ({ token }: Person, id: string) =>
  app.call('DELETE', `/api/v1/webhook-configs/${id}`, { token })

describe.each(CLIENTS)('supabase-js %s', (_name, create) => {
  test('handle insert', async () => {
    const person = await app.newApprovedClient()
    const { heard } = await listen(create(), person, [{ event: 'INSERT', schema: 'public' }])
    const id = await createWebhook(app, person)
    await waitUntil(() => heard.length > 0, { what: 'The change' })
    expect(heard).toEqual([
      {
        eventType: 'INSERT',
        schema: 'public',
        table: TABLE,
        commit_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
        new: expect.objectContaining({ id, webhook_name: 'CRM', is_active: true }) as object,
        old: {},
        errors: null,
      },
    ])
  })

  test('handle update', async () => {
    const person = await app.newApprovedClient()
    const id = await createWebhook(app, person)
    const { heard } = await listen(create(), person, [{ event: 'UPDATE', schema: 'public', table: TABLE }])
    await renameWebhook(person, id, 'Dialer')
    await waitUntil(() => heard.length > 0, { what: 'The change' })
    expect(heard).toMatchObject([{ eventType: 'UPDATE', new: { id, webhook_name: 'Dialer' }, old: { id } }])
  })

  test('handle delete', async () => {
    const person = await app.newApprovedClient()
    const id = await createWebhook(app, person)
    const { heard } = await listen(create(), person, [{ event: 'DELETE', schema: 'public', table: TABLE }])
    await deleteWebhook(person, id)
    await waitUntil(() => heard.length > 0, { what: 'The change' })
    expect(heard).toMatchObject([{ eventType: 'DELETE', new: {}, old: { id } }])
  })

  test('handle wildcard', async () => {
    const person = await app.newApprovedClient()
    const { heard } = await listen(create(), person, [{ event: '*', schema: 'public', table: TABLE }])
    const id = await createWebhook(app, person)
    await waitUntil(() => heard.length === 1, { what: 'The insertion' })
    await renameWebhook(person, id, 'Dialer')
    await waitUntil(() => heard.length === 2, { what: 'The update' })
    await deleteWebhook(person, id)
    await waitUntil(() => heard.length === 3, { what: 'The deletion' })
    expect(heard.map(({ eventType }) => eventType)).toEqual(['INSERT', 'UPDATE', 'DELETE'])
  })

  test('error subscribing', async () => {
    const person = await app.newApprovedClient()
    const { told } = await listen(create(), person, [{ event: 'INSERT', schema: 'public', table: 'test' }])
    expect(told).toMatchObject([
      {
        status: 'error',
        message:
          'Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [event: INSERT, schema: public, table: test, filters: [], select: nil]',
      },
    ])
  })

  test('a filter keeps rows that do not match from being told', async () => {
    const person = await app.newApprovedClient()
    const { heard } = await listen(create(), person, [
      { event: 'INSERT', schema: 'public', table: TABLE, filter: 'webhook_name=eq.Dialer' },
    ])
    await createWebhook(app, person)
    const id = await createWebhook(app, person, { webhook_name: 'Dialer' })
    await waitUntil(() => heard.length > 0, { what: 'The change' })
    expect(heard.map((change) => change.new['id'])).toEqual([id])
  })

  test('a lead and a webhook are told to their client only, and to nobody without a session', async () => {
    const [person, stranger] = [await app.newApprovedClient(), await app.newApprovedClient()]
    const everything = [{ event: '*', schema: 'public' }]
    const own = await listen(create(), person, everything)
    const others = await listen(create(), stranger, everything)
    const nobody = await listen(create(), undefined, everything, false)
    const source = await app.newSource({ owner: person })
    const { json } = await app.call('POST', '/api/v1/leads', { token: source.key, body: newLead() })
    await waitUntil(() => own.heard.some(({ table }) => table === 'leads'), { what: 'The lead' })
    expect(own.heard.find(({ table }) => table === 'leads')?.new).toMatchObject({ id: json.lead_id })
    const theirs = await createWebhook(app, stranger)
    await waitUntil(() => others.heard.length > 0, { what: 'The change of the other' })
    expect(others.heard.map((change) => change.new['id'])).toEqual([theirs])
    expect(own.heard.some((change) => change.new['id'] === theirs)).toBe(false)
    expect(nobody.heard).toEqual([])
    expect(nobody.told).toEqual([])
  })
})
