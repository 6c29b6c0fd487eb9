import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MEMBER_ROLES, PERMISSIONS_OF_MEMBER, type MemberRole } from '#core/contract/accounts/member-role.ts'
import { apiRoutes } from '#server/api-routes.ts'
import { mayOf, type Route } from '#server/http/route.ts'
import { newLead, startApp, type Person, type TestApp } from '../../support/start-app.ts'
import { givenMember } from './given-members.ts'

let app: TestApp
const people = new Map<MemberRole, Person>()
/** An id of the account, shared by its people, for each kind of path. */
const shared = new Map<string, string>()
/** The same of another agent. */
const others = new Map<string, string>()

const ANY_ID = '00000000-0000-4000-8000-000000000000'
const OF_PEOPLE = ['user', 'user by any proof', 'anybody', 'source or user']
// Nobody hangs up the stream; changes.test.ts listens to it.
const routes = apiRoutes.filter(({ who, path }) => OF_PEOPLE.includes(who) && path !== '/api/v1/changes')
const kindOf = ({ path }: Route) => path.slice(0, path.indexOf('/:id'))
const isOpenTo = (role: MemberRole, route: Route) => {
  const may = mayOf(route)
  return may === 'self' || PERMISSIONS_OF_MEMBER[role].includes(may)
}
/** Bodies that these calls accept, so that only the row can cause a refusal. */
const BODIES: Record<string, unknown> = {
  'POST /api/v1/leads/:id/return': { reason: 'disconnected_number' },
  'POST /api/v1/leads/:id/member': { member_user_id: null },
  'PATCH /api/v1/orders/:id': { version: 1, name: 'Mine' },
  'PATCH /api/v1/leads/:id': { notes: 'mine' },
  'PATCH /api/v1/webhook-configs/:id': { is_active: false },
  'POST /api/v1/webhook-configs/:id/switch-on': { waiting: 'discard' },
  'POST /api/v1/webhook-configs/:id/resend-failed': { since: '2026-01-01' },
  'POST /api/v1/webhook-configs/:id/cancel-waiting': { dry_run: true },
}

beforeAll(async () => {
  app = await startApp()
  const founder = await app.newApprovedClient()
  for (const role of MEMBER_ROLES) {
    if (role !== 'none') people.set(role, await givenMember(app, founder, role))
    else people.set(role, await givenFormerFounder())
  }
  await givenRows(founder, shared, null)
  await givenRows(founder, others, (await givenMember(app, founder, 'agent')).id)
})
afterAll(() => app.close())

async function givenFormerFounder(): Promise<Person> {
  const person = await app.newClient()
  await app.context.db
    .insertInto('account_members')
    .values({ user_id: person.id, account_id: person.id, role: 'none' })
    .execute()
  return person
}

/** An order, a webhook, a lead and one of its attempts, which are this person's; null: shared. */
async function givenRows(
  founder: Person,
  ids: Map<string, string>,
  member_user_id: string | null,
): Promise<void> {
  const { token } = founder
  const source = await app.newSource({ owner: founder })
  const create = async (path: string, body: unknown, as = token) =>
    (await app.call('POST', path, { token: as, body })).json
  const config = await create('/api/v1/webhook-configs', {
    webhook_name: 'CRM',
    endpoint_url: 'https://crm.example.com',
  })
  const { lead_id } = await create('/api/v1/leads', newLead(), source.key)
  await create('/functions/v1/webhook-delivery', { lead_id, client_user_id: founder.id })
  const logs = await app.call('GET', `/api/v1/webhook-configs/${config.id}/delivery-logs`, { token })
  const order = await create('/api/v1/orders', {
    name: 'Ours',
    lead_type: 'final_expense',
    timezone: 'America/New_York',
  })
  const { db } = app.context
  const replay = await db
    .insertInto('webhook_replays')
    .values({
      webhook_config_id: config.id,
      client_user_id: founder.id,
      since: new Date(),
      resent: 0,
      hurried: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('leads').set({ member_user_id }).where('id', '=', lead_id).execute()
  await db.updateTable('orders').set({ member_user_id }).where('id', '=', order.id).execute()
  await db.updateTable('client_webhook_configs').set({ member_user_id }).where('id', '=', config.id).execute()
  ids.set('/api/v1/leads', lead_id)
  ids.set('/api/v1/orders', order.id)
  ids.set('/api/v1/webhook-configs', config.id)
  ids.set('/api/v1/delivery-logs', logs.json.data[0]?.id ?? '')
  ids.set('/api/v1/webhook-replays', replay.id)
}

const ask = (role: MemberRole, route: Route, id = ANY_ID) => {
  const name = `${route.method.toUpperCase()} ${route.path}`
  const body = BODIES[name] ?? {}
  return app.call(route.method.toUpperCase(), route.path.replace(':id', id), {
    token: people.get(role)?.token,
    ...(route.takes !== undefined && { body }),
  })
}

describe.each(MEMBER_ROLES)('a person with the role %s', (role) => {
  const open = routes.filter((route) => isOpenTo(role, route))
  const closed = routes.filter((route) => !isOpenTo(role, route))

  test('is refused where the role may not act, with a sentence that says who may', async () => {
    for (const route of closed) {
      const { status, json } = await ask(role, route, shared.get(kindOf(route)))
      expect({ status, code: json.code }, `${route.method} ${route.path}`).toEqual({
        status: 403,
        code: 'forbidden',
      })
      expect(json.detail).toMatch(/^This needs the role owner.* in the account\. Yours is \w+\.$/)
    }
    expect(closed.length > 0).toBe(role !== 'owner')
  })

  test('is let in where the role may act', async () => {
    // The last two would end the sessions with which this test asks.
    const kept = open.filter(({ path }) => !path.endsWith('/leave') && !path.includes('/me/sessions'))
    for (const route of kept)
      expect((await ask(role, route)).json.detail ?? '', route.path).not.toMatch(/^This needs the role/)
  })

  const rows = open.filter((route) => route.path.includes('/:id') && isRow(route))
  test(`finds ${role === 'agent' ? 'no shared row and none of another agent' : 'every row of the account'}`, async () => {
    for (const route of rows)
      for (const ids of [shared, others]) {
        if (role === 'agent') {
          const { status } = await ask(role, route, ids.get(kindOf(route)))
          expect({ route: `${route.method} ${route.path}`, status }).toEqual({
            route: `${route.method} ${route.path}`,
            status: 404,
          })
        } else if (route.method === 'get')
          expect((await ask(role, route, ids.get(kindOf(route)))).status, route.path).toBe(200)
      }
  })
})

const ROWS = new Set([
  '/api/v1/leads',
  '/api/v1/orders',
  '/api/v1/webhook-configs',
  '/api/v1/delivery-logs',
  '/api/v1/webhook-replays',
])
function isRow(route: Route): boolean {
  return ROWS.has(kindOf(route))
}
