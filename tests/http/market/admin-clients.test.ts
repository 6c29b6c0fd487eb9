import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { clientSchema } from '#core/contract/accounts/named-client.ts'
import { adminClientDetailSchema, adminClientSchema } from '#core/contract/market/admin-client.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'
import { readAudit } from './read-audit.ts'

const PATH = '/api/v1/admin/clients'
let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

async function call(method: string, path: string, body?: unknown) {
  const { status, json } = await app.call(method, path, { token: app.admin.token, body })
  return { status, json, client: adminClientDetailSchema.safeParse(json).data }
}
const decide = (person: Person, what: string, body: object = {}) =>
  call('POST', `${PATH}/${person.id}/${what}`, body)

async function giveOrder(person: Person): Promise<void> {
  await app.context.db
    .insertInto('orders')
    .values({
      client_user_id: person.id,
      name: 'All',
      lead_type: 'final_expense',
      timezone: 'America/New_York',
    })
    .execute()
}

describe('approving a client', () => {
  test('lets the client buy, offers waiting leads at once, and records the administrator', async () => {
    const person = await app.newClient()
    await giveOrder(person)
    await sql`update lead_types set offer_again_at = null`.execute(app.context.db)
    const { status, client } = await decide(person, 'approve', { note: 'Licence looked at' })

    expect(status).toBe(200)
    expect(client).toMatchObject({ status: 'active', orders: 1, orders_active: 1, balance: '0.00' })
    const type = await app.context.db.selectFrom('lead_types').select('offer_again_at').executeTakeFirst()
    expect(type?.offer_again_at).not.toBeNull()
    expect(await readAudit(app, 'client_approved', person.id)).toMatchObject([
      {
        actor: 'admin',
        actor_id: app.admin.id,
        details: { before: { status: 'onboarding' }, after: { status: 'active' }, note: 'Licence looked at' },
      },
    ])
    // The client sees that it happened, but not the administrators' notes.
    const own = await app.call('GET', '/api/v1/me/audit', { token: person.token })
    expect(JSON.stringify(own.json.data)).toContain('client_approved')
    expect(JSON.stringify(own.json.data)).not.toContain('Licence')
  })

  test('happens once, however many requests arrive at one moment', async () => {
    const person = await app.newClient()
    const answers = await Promise.all([1, 2, 3, 4].map(() => decide(person, 'approve')))

    expect(answers.map(({ status, client }) => [status, client?.status])).toEqual(
      answers.map(() => [200, 'active']),
    )
    expect(await readAudit(app, 'client_approved', person.id)).toHaveLength(1)
  })

  test('is refused for a closed or an erased account', async () => {
    const [closed, erased] = [await app.newClient(), await app.newClient()]
    await sql`update client_accounts set status = 'closed' where user_id = ${closed.id}`.execute(
      app.context.db,
    )
    await sql`update auth.users set deleted_at = now() where id = ${erased.id}`.execute(app.context.db)

    expect((await decide(closed, 'approve')).status).toBe(409)
    for (const what of ['approve', 'resume']) expect((await decide(erased, what)).status).toBe(409)
    expect((await call('GET', `${PATH}/${erased.id}`)).client?.status).toBe('erased')
  })
})

test('a client has one name in every list, and never the mailbox part of its address', async () => {
  const { db } = app.context
  const business = await app.newClient()
  const person = await app.newClient()
  const nobody = await app.newClient()
  const erased = await app.newClient()
  await sql`update client_accounts set business_name = 'Sunrise Agency' where user_id = ${business.id}`.execute(
    db,
  )
  await sql`update profiles set name = 'Ada Example' where user_id = any(${[business.id, person.id]})`.execute(
    db,
  )
  await sql`update profiles set name = split_part(email::text, '@', 1) where user_id = ${nobody.id}`.execute(
    db,
  )
  await sql`update profiles set name = '', email = '' where user_id = ${erased.id}`.execute(db)
  const names = new Map([
    [business.id, 'Sunrise Agency'],
    [person.id, 'Ada Example'],
    [nobody.id, `Client ${nobody.id.slice(-6)}`],
    [erased.id, 'Erased account'],
  ])
  for (const who of [business, person, nobody, erased]) {
    await giveOrder(who)
    await call('POST', `${PATH}/${who.id}/adjust`, { amount: '10', note: 'Goodwill' })
  }
  const rows = async (path: string) => (await call('GET', `/api/v1/admin/${path}`)).json.data as unknown[]
  const list = async (path: string) =>
    z
      .object({ client: clientSchema })
      .array()
      .parse(await rows(path))
  const expectNames = (found: readonly (readonly [string, string])[], where: string) =>
    expect.soft(new Map(found.filter(([id]) => names.has(id))), where).toEqual(names)
  const clients = adminClientSchema.array().parse(await rows('clients'))
  expectNames(
    clients.map((one) => [one.user_id, one.display_name] as const),
    'clients',
  )
  for (const path of ['orders', 'money/ledger', 'money/balances'])
    expectNames(
      (await list(path)).map(({ client }) => [client.user_id, client.name] as const),
      path,
    )
})

test('a suspended client is refused from the next request on, and restored afterwards', async () => {
  const person = await app.newClient()
  await decide(person, 'approve')
  const me = () => app.call('GET', '/api/v1/me', { token: person.token })

  expect((await decide(person, 'suspend', { reason: ' ' })).json.errors).toMatchObject([{ path: 'reason' }])
  expect((await decide(person, 'suspend', { reason: 'Chargeback' })).client?.status).toBe('suspended')
  expect((await me()).status).toBe(403)
  await decide(person, 'suspend', { reason: 'Once more' })
  expect(await readAudit(app, 'client_suspended', person.id)).toMatchObject([
    { details: { note: 'Chargeback' } },
  ])
  expect((await decide(person, 'resume', { note: 'Paid' })).client?.status).toBe('active')
  expect((await me()).status).toBe(200)
  expect(await readAudit(app, 'client_resumed', person.id)).toHaveLength(1)
})

describe('the list of clients', () => {
  test('is searched by name and address, filtered by status and paged newest first', async () => {
    const people = [await app.newClient(), await app.newClient(), await app.newClient()]
    for (const person of people)
      await sql`update profiles set name = ${`Acme 100% ${person.id}`} where user_id = ${person.id}`.execute(
        app.context.db,
      )
    await decide(people[0] ?? app.admin, 'approve')
    const names = async (query: string) => {
      const { json } = await call('GET', `${PATH}?${query}`)
      return {
        ids: adminClientSchema
          .array()
          .parse(json.data)
          .map((row) => row.user_id),
        next: json.next_cursor,
      }
    }
    const first = await names('search=acme%20100%25&limit=2')
    const second = await names(`search=acme%20100%25&limit=2&cursor=${first.next}`)

    expect([...first.ids, ...second.ids]).toEqual(people.map(({ id }) => id).toReversed())
    expect((await names('search=acme&status=active')).ids).toEqual([people[0]?.id])
    expect((await names(`search=${people[1]?.email}`)).ids).toEqual([people[1]?.id])
    expect((await names('search=acme%20100_')).ids).toEqual([])
    expect((await names('limit=100')).ids).not.toContain(app.admin.id)
    expect((await call('GET', `${PATH}?status=gone`)).status).toBe(422)
    // The approved one has an order, and nothing to pay it with.
    await giveOrder(people[0] ?? app.admin)
    expect((await names('search=acme&funds=out')).ids).toEqual([people[0]?.id])
    expect((await call('GET', `${PATH}?funds=some`)).status).toBe(422)
  })

  test('and every change of a client is only for administrators, and only clients can be changed', async () => {
    const [person, source] = [await app.newClient(), await app.newSource()]
    for (const [method, path] of [
      ['GET', ''],
      ['GET', `/${person.id}`],
      ['POST', `/${person.id}/approve`],
      ['POST', `/${person.id}/suspend`],
      ['POST', `/${person.id}/resume`],
    ] as const) {
      expect((await app.call(method, PATH + path, { token: person.token })).status, path).toBe(403)
      expect((await app.call(method, PATH + path, { token: source.key })).status, path).toBe(401)
    }
    expect((await call('GET', `${PATH}/${app.admin.id}`)).status).toBe(404)
    expect((await decide(app.admin, 'suspend', { reason: 'Myself' })).status).toBe(404)
    expect((await decide({ ...person, id: source.id }, 'approve')).status).toBe(404)
    expect((await decide(person, 'approve', { status: 'active' })).status).toBe(422)
  })
})
