import { createClient } from '@supabase/supabase-js'
import { createClient as createOldClient } from 'supabase-js-2-50'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { waitUntil } from '#tests/support/condition.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { PUBLIC_KEY } from '../support/invoke-function.ts'
import { openSocket, type TestSocket } from '../support/open-socket.ts'
import { newLead, startApp, type Person, type TestApp } from '../support/start-app.ts'
import { givenMember } from '../accounts/members/given-members.ts'

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

const webhook = (fields: Record<string, unknown> = {}) => ({
  webhook_name: 'CRM',
  endpoint_url: 'https://crm.example.com/leads',
  payload_type: 'JSON',
  payload_template: { name: '{{name}}' },
  is_active: true,
  trigger_on_lead_created: true,
  trigger_on_lead_assigned: false,
  ...fields,
})
async function createWebhook({ token }: Person, fields: Record<string, unknown> = {}): Promise<string> {
  const { status, json } = await app.call('POST', '/api/v1/webhook-configs', { token, body: webhook(fields) })
  expect([status, json.detail]).toEqual([201, undefined])
  return json.id
}
const renameWebhook = ({ token }: Person, id: string, webhook_name: string) =>
  app.call('PATCH', `/api/v1/webhook-configs/${id}`, { token, body: { webhook_name } })
const deleteWebhook = ({ token }: Person, id: string) =>
  app.call('DELETE', `/api/v1/webhook-configs/${id}`, { token })

describe.each(CLIENTS)('supabase-js %s', (_name, create) => {
  test('handle insert', async () => {
    const person = await app.newApprovedClient()
    const { heard } = await listen(create(), person, [{ event: 'INSERT', schema: 'public' }])
    const id = await createWebhook(person)
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
    const id = await createWebhook(person)
    const { heard } = await listen(create(), person, [{ event: 'UPDATE', schema: 'public', table: TABLE }])
    await renameWebhook(person, id, 'Dialer')
    await waitUntil(() => heard.length > 0, { what: 'The change' })
    expect(heard).toMatchObject([{ eventType: 'UPDATE', new: { id, webhook_name: 'Dialer' }, old: { id } }])
  })

  test('handle delete', async () => {
    const person = await app.newApprovedClient()
    const id = await createWebhook(person)
    const { heard } = await listen(create(), person, [{ event: 'DELETE', schema: 'public', table: TABLE }])
    await deleteWebhook(person, id)
    await waitUntil(() => heard.length > 0, { what: 'The change' })
    expect(heard).toMatchObject([{ eventType: 'DELETE', new: {}, old: { id } }])
  })

  test('handle wildcard', async () => {
    const person = await app.newApprovedClient()
    const { heard } = await listen(create(), person, [{ event: '*', schema: 'public', table: TABLE }])
    const id = await createWebhook(person)
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
    await createWebhook(person)
    const id = await createWebhook(person, { webhook_name: 'Dialer' })
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
    const theirs = await createWebhook(stranger)
    await waitUntil(() => others.heard.length > 0, { what: 'The change of the other' })
    expect(others.heard.map((change) => change.new['id'])).toEqual([theirs])
    expect(own.heard.some((change) => change.new['id'] === theirs)).toBe(false)
    expect(nobody.heard).toEqual([])
    expect(nobody.told).toEqual([])
  })
})

describe('a socket', () => {
  const connect = async (apikey: string): Promise<TestSocket> => {
    const socket = await openSocket(app.url, { apikey, vsn: '2.0.0' })
    ends.push(socket.hangUp)
    return socket
  }
  const follow = async (socket: TestSocket, name: string, ...asked: object[]) => {
    const { payload } = await socket.join(name, { config: { postgres_changes: asked } })
    const told = await socket.take({ event: 'system' })
    const { postgres_changes: numbered } = payload['response'] as { postgres_changes: { id: number }[] }
    return { ids: numbered.map(({ id }) => id), told: told.payload }
  }

  test('gets one message about a change, with the numbers of all bindings that want it', async () => {
    const person = await app.newApprovedClient()
    const socket = await connect(person.token)
    const all = { event: '*', schema: 'public', table: TABLE }
    const { ids } = await follow(
      socket,
      'room',
      all,
      { ...all, event: 'INSERT' },
      { ...all, event: 'DELETE' },
      all,
    )
    const id = await createWebhook(person)
    const { payload } = await socket.take({ event: 'postgres_changes' })
    expect(payload['ids']).toEqual([ids[0], ids[1]])
    expect(payload['data']).toMatchObject({
      type: 'INSERT',
      columns: expect.arrayContaining([{ name: 'is_active', type: 'bool' }]) as object,
      record: { id },
      errors: null,
    })
    expect(payload['data']).not.toHaveProperty('old_record')
  })

  test('gets only the columns that a binding selects', async () => {
    const person = await app.newApprovedClient()
    const socket = await connect(person.token)
    await follow(socket, 'room', {
      event: '*',
      schema: 'public',
      table: TABLE,
      select: ['id', 'webhook_name'],
    })
    const id = await createWebhook(person)
    const { payload } = await socket.take({ event: 'postgres_changes' })
    expect(payload['data']).toMatchObject({
      columns: [
        { name: 'id', type: 'uuid' },
        { name: 'webhook_name', type: 'text' },
      ],
    })
    expect((payload['data'] as { record: object }).record).toEqual({ id, webhook_name: 'CRM' })
  })

  test.each([
    [{ filter: 'wrong' }, '`filter` params: ["wrong"]: a condition must be column=operator.value'],
    [
      { filter: 'notacolumn=eq.123' },
      '`filter` params: ["notacolumn=eq.123"]: column notacolumn does not exist in client_webhook_configs',
    ],
    [
      { select: ['id', 'signing_secret'] },
      '`select` params: ["id","signing_secret"]: column signing_secret does not exist in client_webhook_configs',
    ],
  ])('is told that the binding with %j cannot be read', async (more, fault) => {
    const socket = await connect((await app.newApprovedClient()).token)
    const { told } = await follow(socket, 'room', { event: '*', schema: 'public', table: TABLE, ...more })
    expect(told).toEqual({
      extension: 'postgres_changes',
      status: 'error',
      message: `Error parsing ${fault}`,
      channel: 'room',
    })
  })

  test('of an agent gets only the agent’s rows', async () => {
    const owner = await app.newApprovedClient()
    const agent = await givenMember(app, owner, 'agent')
    const [ofOwner, ofAgent] = [await connect(owner.token), await connect(agent.token)]
    const all = { event: '*', schema: 'public', table: TABLE }
    await follow(ofOwner, 'room', all)
    await follow(ofAgent, 'room', all)
    const shared = await createWebhook(owner)
    const own = await createWebhook(agent)
    const idsOf = (socket: TestSocket) =>
      socket.heard
        .filter(({ event }) => event === 'postgres_changes')
        .map(({ payload }) => (payload['data'] as { record: { id: string } }).record.id)
    await waitUntil(() => idsOf(ofAgent).length > 0 && idsOf(ofOwner).length > 1, { what: 'The changes' })
    expect([idsOf(ofAgent), idsOf(ofOwner).toSorted()]).toEqual([[own], [shared, own].toSorted()])
  })

  test('that takes nothing is closed, while another of the account hears everything', async () => {
    const person = await app.newApprovedClient()
    const [slow, quick] = [await connect(person.token), await connect(person.token)]
    const all = { event: 'INSERT', schema: 'public', table: TABLE, select: ['id', 'payload_template'] }
    await follow(slow, 'room', all)
    await follow(quick, 'room', all)
    slow.ws.pause()
    const isCut = async () => (await app.call('GET', '/metrics')).text.includes('cut_total{reason="slow"} 1')
    let rows = 0
    while (!(await isCut())) {
      await insertLongWebhooks(person, 40)
      rows += 40
      await waitUntil(() => quick.heard.filter(({ event }) => event === 'postgres_changes').length === rows, {
        what: 'All changes at the quick socket',
      })
    }
    slow.ws.resume()
    await waitUntil(() => slow.closed() !== undefined, { what: 'The end of the slow socket' })
    expect(quick.closed()).toBeUndefined()
  })
})

/** Webhooks of 60 KB each. */
async function insertLongWebhooks({ id }: Person, count: number): Promise<void> {
  await sql`
    insert into client_webhook_configs
      (client_user_id, webhook_name, endpoint_url, payload_type, payload_template, signing_secret)
    select ${id}, 'CRM', 'https://crm.example.com/leads', 'JSON',
      jsonb_build_object('text', repeat('x', 60000)), ${app.context.secrets.seal('secret')}
    from generate_series(1, ${sql.lit(count)})`.execute(app.context.db)
}
