import { sql } from 'kysely'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiRoutes } from '#server/api-routes.ts'
import { newLead, startApp, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
let client: Person
let owner: Person
/** An id of another client's for each kind of path. */
let foreignIds: Record<string, string>

beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
  owner = await app.newClient()
  const source = await app.newSource({ owner })
  const config = await app.call('POST', '/api/v1/webhook-configs', {
    token: owner.token,
    body: { webhook_name: 'Theirs', endpoint_url: 'https://crm.example.com' },
  })
  const lead = await app.call('POST', '/api/v1/leads', { token: source.key, body: newLead() })
  const leadId = lead.json.lead_id
  await app.call('POST', '/functions/v1/webhook-delivery', {
    token: owner.token,
    body: { lead_id: leadId, client_user_id: owner.id },
  })
  const logs = await app.call('GET', `/api/v1/webhook-configs/${config.json.id}/delivery-logs`, {
    token: owner.token,
  })
  const replay = await app.context.db
    .insertInto('webhook_replays')
    .values({
      webhook_config_id: config.json.id,
      client_user_id: owner.id,
      since: new Date(),
      resent: 0,
      hurried: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const order = await app.call('POST', '/api/v1/orders', {
    token: owner.token,
    body: { name: 'Theirs', lead_type: 'final_expense', timezone: 'America/New_York' },
  })
  const payment = await app.call('POST', '/api/v1/payments', {
    token: owner.token,
    body: { amount: '50.00' },
  })
  const invitation = await app.context.db
    .insertInto('account_invitations')
    .values({
      account_id: owner.id,
      email: 'friend@example.com',
      role: 'agent',
      token_hash: Buffer.alloc(32),
      expires_at: new Date(Date.now() + 86_400_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const evidence = await giveEvidence(app, owner, leadId)
  const made = await app.call('POST', '/api/v1/exports', { token: owner.token, body: { kind: 'leads' } })
  foreignIds = {
    '/api/v1/evidence': evidence,
    '/api/v1/account/members': owner.id,
    '/api/v1/account/members/invitations': invitation.id,
    '/api/v1/exports': made.json.id,
    '/api/v1/orders': order.json.id,
    '/api/v1/payments': payment.json.id,
    '/api/v1/webhook-replays': replay.id,
    '/api/v1/leads': leadId,
    '/api/v1/webhook-configs': config.json.id,
    '/api/v1/delivery-logs': logs.json.data[0]?.id ?? '',
    '/api/v1/admin/sources': source.id,
    '/api/v1/admin/leads': leadId,
    '/api/v1/me/sessions': String(decodeJwt(owner.token)['session_id']),
  }
})
afterAll(() => app.close())

const closed = apiRoutes.filter(({ who }) => who !== 'public' && who !== 'anybody')
const withId = closed.filter(({ path }) => path.includes(':id'))
const named = (routes: typeof apiRoutes) =>
  routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const)
/** Bodies that each route with an id accepts, so that only the ownership can cause a refusal. */
const BODIES: Record<string, unknown> = {
  'POST /api/v1/leads/:id/return': { reason: 'disconnected_number' },
  'POST /api/v1/leads/:id/member': { member_user_id: null },
  'PATCH /api/v1/account/members/:id': { role: 'agent' },
  'PATCH /api/v1/orders/:id': { version: 1, name: 'Mine' },
  'PATCH /api/v1/leads/:id': { notes: 'mine' },
  'PATCH /api/v1/webhook-configs/:id': { is_active: false },
  'POST /api/v1/webhook-configs/:id/switch-on': { waiting: 'discard' },
  'POST /api/v1/webhook-configs/:id/resend-failed': { since: '2026-01-01' },
  'POST /api/v1/webhook-configs/:id/cancel-waiting': { dry_run: false },
}
const fill = (path: string) =>
  path.replace(':id', foreignIds[path.slice(0, path.indexOf('/:id'))] ?? 'no such kind of id')

describe('without a token', () => {
  test.each(named(closed))('%s answers 401', async (_name, route) => {
    const { status, headers } = await app.call(route.method.toUpperCase(), fill(route.path))

    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 401,
      type: 'application/problem+json; charset=utf-8',
    })
  })
})

describe('with a forged token', () => {
  test.each(named(closed))('%s answers 401', async (_name, route) => {
    const token = `${client.token.slice(0, -4)}AAAA`

    expect((await app.call(route.method.toUpperCase(), fill(route.path), { token })).status).toBe(401)
  })
})

describe('with another client’s id', () => {
  const scoped = withId.filter(({ who }) => who === 'user')

  test.each(named(scoped))('%s answers 404', async (name, route) => {
    const body = BODIES[name]
    const { status, json } = await app.call(route.method.toUpperCase(), fill(route.path), {
      token: client.token,
      body,
    })

    expect({ status, code: json.code }).toEqual({ status: 404, code: 'not_found' })
  })

  test('there is another client’s id for each kind of path', () => {
    const kinds = scoped.map(({ path }) => path.slice(0, path.indexOf('/:id')))
    expect(kinds.filter((kind) => foreignIds[kind] === undefined)).toEqual([])
  })

  test('the owner’s data has not changed', async () => {
    const get = (path: string) => app.call('GET', path, { token: owner.token })

    expect(
      (await get(`/api/v1/webhook-configs/${foreignIds['/api/v1/webhook-configs']}`)).json.is_active,
    ).toBe(true)
    expect((await get(`/api/v1/leads/${foreignIds['/api/v1/leads']}`)).json.notes).toBeNull()
    expect((await get(`/api/v1/orders/${foreignIds['/api/v1/orders']}`)).json).toMatchObject({
      name: 'Theirs',
    })
    expect((await get('/api/v1/payments')).json.data[0]).toMatchObject({ status: 'pending' })
  })
})

describe('with a client’s token', () => {
  test.each(named(closed.filter(({ who }) => who === 'admin')))('%s answers 403', async (_name, route) => {
    const { status, json } = await app.call(route.method.toUpperCase(), fill(route.path), {
      token: client.token,
    })

    expect({ status, code: json.code }).toEqual({ status: 403, code: 'forbidden' })
  })
})

describe('with an invalid id', () => {
  test.each(named(withId))('%s answers 404', async (name, route) => {
    const path = route.path.replace(':id', '1%20or%201=1')
    const { status } = await app.call(route.method.toUpperCase(), path, {
      token: app.admin.token,
      body: BODIES[name],
    })

    expect(status).toBe(404)
  })
})

describe('the API description at /api/v1/openapi.json', () => {
  test('names every route with its method, its callers and its body', async () => {
    const { status, json } = await app.call('GET', '/api/v1/openapi.json')

    expect({ status, version: json.openapi }).toEqual({ status: 200, version: '3.1.0' })
    for (const route of apiRoutes) {
      const described = json.paths[route.path.replaceAll(/:(\w+)/g, '{$1}')]?.[route.method]
      expect(described, `${route.method} ${route.path}`).toMatchObject({ summary: route.summary })
      expect(described?.security).toHaveLength(
        route.who === 'public' ? 0 : ['source or user', 'anybody'].includes(route.who) ? 2 : 1,
      )
      expect(described?.requestBody === undefined).toBe(route.body === undefined)
    }
  })
})

/** A file that was sent with a return; returns its id. */
async function giveEvidence({ context }: TestApp, { id: owner }: Person, leadId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with asked as (
      insert into lead_returns (assignment_id, lead_id, client_user_id, reason, asked_by, held_for_review)
      select id, lead_id, client_user_id, 'language', 'client', false from lead_assignments
      where lead_id = ${leadId} and client_user_id = ${owner} returning id
    ), content as (
      insert into file_contents (sha256, size) values (decode(repeat('00', 32), 'hex'), 1) returning sha256
    )
    insert into stored_files (bucket_id, name, account_id, lead_id, return_id, sha256, size, content_type, cache_control)
    select 'evidence', ${`${owner}/${leadId}/call.mp3`}, ${owner}, ${leadId}, asked.id, sha256, 1, 'audio/mpeg', 'no-cache'
    from asked, content returning id`.execute(context.db)
  return rows[0]?.id ?? ''
}
