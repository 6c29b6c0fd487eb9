import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomUUID } from 'node:crypto'
import { apiRoutes } from '#server/api-routes.ts'
import { isViewable, VIEWABLE } from '#server/http/is-viewable.ts'
import { readAudit } from '../market/read-audit.ts'
import { newLead, startApp, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
let client: Person
let other: Person
let lead: string
beforeAll(async () => {
  app = await startApp()
  ;[client, other] = [await app.newClient(), await app.newClient()]
  const source = await app.newSource({ owner: client })
  lead = (await app.call('POST', '/api/v1/leads', { token: source.key, body: newLead() })).json.lead_id
})
afterAll(() => app.close())

const view = (
  method: string,
  path: string,
  { as = client.id, token = app.admin.token, body }: { as?: string; token?: string; body?: unknown } = {},
) => app.call(method, path, { token, body, headers: { 'x-view-as': as } })

describe('an administrator who sees a client’s screens', () => {
  test('gets the client’s rows as the client gets them, and not as an administrator', async () => {
    const own = (path: string) => app.call('GET', path, { token: client.token })
    for (const path of [
      '/api/v1/me',
      '/api/v1/leads',
      '/api/v1/balance',
      '/api/v1/statement',
      '/api/v1/orders',
      '/api/v1/dashboard',
      '/api/v1/revocations',
      '/api/v1/webhook-configs/certifications',
    ])
      expect((await view('GET', path)).status, path).toBe(200)
    expect((await view('GET', '/api/v1/me')).json).toMatchObject({ user_id: client.id, role: 'client' })
    expect((await view('GET', '/api/v1/leads')).json).toEqual((await own('/api/v1/leads')).json)
    expect((await view('GET', `/api/v1/leads/${lead}`, { as: other.id })).status).toBe(404)
  })

  test('leaves the client’s leads unread', async () => {
    const unread = async () =>
      (await app.call('GET', '/api/v1/me', { token: client.token })).json.unread_lead_count
    expect(await unread()).toBe(1)
    expect((await view('GET', `/api/v1/leads/${lead}`)).status).toBe(200)
    expect(await unread()).toBe(1)
    await app.call('GET', `/api/v1/leads/${lead}`, { token: client.token })
    expect(await unread()).toBe(0)
  })

  test('is in the audit log once for each client, however many calls come at one moment; the client sees no session', async () => {
    const person = await app.newClient()
    await Promise.all(
      ['/api/v1/me', '/api/v1/leads', '/api/v1/orders', '/api/v1/balance'].map((path) =>
        view('GET', path, { as: person.id }),
      ),
    )
    expect(await readAudit(app, 'viewed_as', person.id)).toMatchObject([
      { actor: 'admin', actor_id: app.admin.id },
    ])
    const own = await app.call('GET', '/api/v1/me/audit', { token: person.token })
    const row = own.json.data.find((one) => JSON.stringify(one).includes('viewed_as'))
    expect(row).toMatchObject({ session_id: null, ip: null })
  })

  test.each([
    ['a client', () => client.token],
    ['another client', () => other.token],
  ])('is never %s: the header is refused', async (_who, token) => {
    const { status, json } = await view('GET', '/api/v1/leads', { token: token() })
    expect([status, json.code]).toEqual([403, 'forbidden'])
    expect((await view('GET', '/api/v1/leads', { token: '' })).status).toBe(401)
  })

  test('gets 404 for an id that is no client’s', async () => {
    for (const as of [randomUUID(), app.admin.id, 'me', ''])
      expect((await view('GET', '/api/v1/leads', { as })).status, as).toBe(404)
  })
})

const closed = apiRoutes.filter((route) => route.who !== 'public' && !isViewable(route))

test.each(closed.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
  '%s is refused to an administrator who sees a client’s screens',
  async (_name, route) => {
    const { status, json } = await view(route.method.toUpperCase(), route.path.replace(':id', lead), {
      body: route.method === 'get' ? undefined : {},
    })
    expect([status, json.code]).toEqual([403, 'forbidden'])
  },
)

test('what may be seen are calls of users that only read', () => {
  const routes = apiRoutes.filter(isViewable)
  expect(routes.map(({ path }) => path).toSorted()).toEqual([...VIEWABLE].toSorted())
  expect(routes.every(({ who }) => who === 'user' || who === 'user by any proof')).toBe(true)
  expect(routes.every(({ isDownload, streams }) => isDownload === undefined && streams === undefined)).toBe(
    true,
  )
  expect(routes.filter(({ path }) => /secret|audit|session|recovery|password/.test(path))).toEqual([])
})
