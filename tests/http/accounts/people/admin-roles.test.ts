import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_ROLES, PERMISSIONS_OF, type AdminRole } from '#core/contract/accounts/admin-role.ts'
import { MEMBER_PERMISSIONS } from '#core/contract/accounts/member-role.ts'
import { apiRoutes } from '#server/api-routes.ts'
import { needsOf } from '#server/http/route.ts'
import { newLead, startApp, type Person, type TestApp } from '../../support/start-app.ts'

let app: TestApp
const people = new Map<AdminRole, Person>()
beforeAll(async () => {
  app = await startApp()
  for (const role of ADMIN_ROLES) {
    const person = await app.newClient()
    await giveRole(person, role)
    people.set(role, person)
  }
})
afterAll(() => app.close())

const ANY_ID = '00000000-0000-4000-8000-000000000000'
const routes = apiRoutes.filter(({ who }) => who === 'admin')
const tokenOf = (role: AdminRole) => people.get(role)?.token

async function giveRole({ id }: Person, role: AdminRole): Promise<void> {
  await app.context.db
    .updateTable('profiles')
    .set({ role: 'admin', admin_role: role })
    .where('user_id', '=', id)
    .execute()
}

describe.each(ADMIN_ROLES)('an administrator with the role %s', (role) => {
  const may = routes.filter((route) => PERMISSIONS_OF[role].includes(needsOf(route)))
  const mayNot = routes.filter((route) => !may.includes(route))
  const ask = async ({ method, path }: (typeof routes)[number]) =>
    await app.call(method.toUpperCase(), path.replace(':id', ANY_ID), {
      token: tokenOf(role),
      ...(method !== 'get' && { body: {} }),
    })

  test('is let in where the role may act', async () => {
    for (const route of may) expect((await ask(route)).json.code, route.path).not.toBe('forbidden')
  })

  test('is refused everywhere else, with a sentence that says who may', async () => {
    for (const route of mayNot) {
      const { status, json } = await ask(route)
      expect({ status, code: json.code }, `${route.method} ${route.path}`).toEqual({
        status: 403,
        code: 'forbidden',
      })
      expect(json.detail).toMatch(/^This needs an administrator with the role owner.*\. Yours is \S+\.$/)
    }
    expect(mayNot.length > 0).toBe(role !== 'owner')
  })

  test('learns from /me what the role may do', async () => {
    const { json } = await app.call('GET', '/api/v1/me', { token: tokenOf(role) })
    expect(json).toMatchObject({ role: 'admin', admin_role: role, permissions: PERMISSIONS_OF[role] })
  })
})

test('a client has no role of administrators, and owns an account', async () => {
  const client = await app.newClient()
  const { json } = await app.call('GET', '/api/v1/me', { token: client.token })
  expect(json).toMatchObject({ role: 'client', admin_role: null, permissions: MEMBER_PERMISSIONS })
})

test('a role reads every lead, and without the permission for leads changes none', async () => {
  const owner = await app.newClient()
  const source = await app.newSource({ owner })
  const lead = await app.call('POST', '/api/v1/leads', { token: source.key, body: newLead() })
  const path = `/api/v1/leads/${lead.json.lead_id}`
  const change = (role: AdminRole) => app.call('PATCH', path, { token: tokenOf(role), body: { notes: role } })

  expect((await app.call('GET', path, { token: tokenOf('read_only') })).status).toBe(200)
  expect((await change('read_only')).status).toBe(404)
  expect((await change('finance')).status).toBe(404)
  // It was never sold, so only its holder could write notes; but support sees it.
  expect((await change('support')).status).toBe(409)
})

describe('the authentication service’s calls for administrators', () => {
  const users = (role: AdminRole, method: string, body?: unknown) =>
    app.call(method, '/auth/v1/admin/users', { token: tokenOf(role), body })

  test('let every role read, and only owners change', async () => {
    for (const role of ADMIN_ROLES) expect((await users(role, 'GET')).status).toBe(200)
    for (const role of ADMIN_ROLES) {
      const { status } = await users(role, 'POST', { email: `${role.replace('_', '-')}@example.org` })
      expect(status, role).toBe(role === 'owner' ? 200 : 403)
    }
  })
})
