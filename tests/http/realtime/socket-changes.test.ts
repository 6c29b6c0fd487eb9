import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { waitUntil } from '#tests/support/condition.ts'
import { openSocket, type TestSocket } from '../support/open-socket.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { givenMember } from '../accounts/members/given-members.ts'
import { createWebhook, insertLongWebhooks } from './given-webhooks.ts'

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
    const id = await createWebhook(app, person)
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
    const id = await createWebhook(app, person)
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
    const shared = await createWebhook(app, owner)
    const own = await createWebhook(app, agent)
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
      await insertLongWebhooks(app, person, 40)
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
