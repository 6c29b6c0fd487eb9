import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countWebhooksLocked } from '#core/data/webhooks/count-webhooks.ts'
import { newLead, startApp, type Person, type TestApp } from '../support/start-app.ts'

const PATH = '/api/v1/webhook-configs'
const LIMIT = 5
let app: TestApp
beforeAll(async () => {
  app = await startApp({ WEBHOOK_MAX_PER_CLIENT: String(LIMIT) })
})
afterAll(() => app.close())

const good = { webhook_name: 'My CRM', endpoint_url: 'https://crm.example.com/hook' }
const create = (who: Person, key?: string) =>
  app.call('POST', PATH, {
    token: who.token,
    body: good,
    ...(key === undefined ? {} : { headers: { 'Idempotency-Key': key } }),
  })
const fill = async (who: Person) => await Promise.all(Array.from({ length: LIMIT }, () => create(who)))
const list = async (who: Person) => (await app.call('GET', PATH, { token: who.token })).json.data
const remove = (who: Person, id: string | undefined) =>
  app.call('DELETE', `${PATH}/${id}`, { token: who.token })

test('twenty simultaneous creations, with keys and without, succeed only up to the limit', async () => {
  const client = await app.newClient()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_none, index) =>
      create(client, index % 2 === 0 ? `at-once-${index}` : undefined),
    ),
  )

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(LIMIT)
  expect(await list(client)).toHaveLength(LIMIT)
  const refused = answers.filter(({ status }) => status !== 201)
  expect(new Set(refused.map(({ status, json }) => `${status} ${json.code}`))).toEqual(
    new Set(['422 too_many_webhooks']),
  )
  expect(refused[0]?.json).toMatchObject({
    title: 'There are as many webhooks as there may be',
    detail:
      'An account may have 5 webhooks at most, and yours has 5. Delete one that you no longer need, then create this one.',
    errors: [],
  })
})

test('a client at the limit does not affect another', async () => {
  await fill(await app.newClient())
  const other = await app.newClient()

  expect((await create(other)).status).toBe(201)
})

test('at the limit an accepted creation gets its first answer again, and a refused one leaves its key unused', async () => {
  const client = await app.newClient()
  const first = await create(client, 'first')
  await fill(client)
  const again = await create(client, 'first')
  expect([again.status, again.json.id]).toEqual([201, first.json.id])

  expect((await create(client, 'second')).json.code).toBe('too_many_webhooks')
  expect((await create(client, 'second')).json.code).toBe('too_many_webhooks')
  const [, spare] = await list(client)
  await remove(client, spare?.id)
  expect((await create(client, 'second')).status).toBe(201)
  expect(await list(client)).toHaveLength(LIMIT)
})

test('a client above the limit can keep, change, switch and delete webhooks, but not add one', async () => {
  const client = await app.newClient()
  await fill(client)
  await sql`
    insert into client_webhook_configs (client_user_id, webhook_name, endpoint_url, payload_template, signing_secret)
    select client_user_id, webhook_name, endpoint_url, payload_template, signing_secret
    from client_webhook_configs where client_user_id = ${client.id} limit 2`.execute(app.context.db)
  const [one, two] = await list(client)
  const change = (body: unknown) => app.call('PATCH', `${PATH}/${one?.id}`, { token: client.token, body })

  expect(await list(client)).toHaveLength(LIMIT + 2)
  expect((await change({ webhook_name: 'Renamed', endpoint_url: 'https://other.example.com' })).status).toBe(
    200,
  )
  expect((await change({ is_active: false })).json.is_active).toBe(false)
  expect((await change({ is_active: true })).json.is_active).toBe(true)
  expect((await create(client)).json.detail).toContain('5 webhooks at most, and yours has 7')
  expect((await remove(client, two?.id)).status).toBe(204)
  expect((await create(client)).json.code).toBe('too_many_webhooks')
})

test('while a webhook is created, its client’s leads are still accepted, assigned and planned', async () => {
  const client = await app.newClient()
  const source = await app.newSource({ owner: client, auto_assign: true })
  await create(client)

  await app.context.db.transaction().execute(async (trx) => {
    await countWebhooksLocked(trx, client.id)
    const { status, json } = await app.call('POST', '/api/v1/leads', {
      headers: { authorization: `Bearer ${source.key}` },
      body: newLead(),
    })
    expect(status).toBe(201)
    const asked = await app.call('POST', '/functions/v1/webhook-delivery', {
      token: client.token,
      body: { lead_id: json.lead_id, client_user_id: client.id },
    })
    expect(asked.json).toMatchObject({ success: true, deliveries: 1 })
  })
})

test('a page can read the limit', async () => {
  const client = await app.newClient()

  expect((await app.call('GET', `${PATH}/limit`, { token: client.token })).json).toEqual({
    max_per_client: LIMIT,
  })
  expect((await app.call('GET', `${PATH}/limit`)).status).toBe(401)
})
