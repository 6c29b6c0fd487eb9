import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ownAuditRowSchema } from '#core/contract/accounts/audit.ts'
import type { GivenRole } from '#core/contract/accounts/member-role.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { listenToChanges } from '../../support/listen-to-changes.ts'
import { startApp, type Person, type TestApp } from '../../support/start-app.ts'
import { callMembers, givenMember, inviteByMail, readMemberAudit, readNotices } from './given-members.ts'

let app: TestApp
let owner: Person
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  owner = await app.newApprovedClient()
})

const LAST_OWNER = 'This is the last owner. Hand the account over first.'
const me = async ({ token }: Person) => await app.call('GET', '/api/v1/me', { token })
const give = (by: Person, to: Person, role: GivenRole, version?: number) =>
  callMembers(app, by, 'PATCH', `/${to.id}`, { role, version })
const remove = (by: Person, gone: Person) => callMembers(app, by, 'DELETE', `/${gone.id}`)
const leave = (person: Person) => callMembers(app, person, 'POST', '/leave')
const handOver = (by: Person, to: Person, leaves = false) =>
  callMembers(app, by, 'POST', '/hand-over', { to: to.id, leave: leaves })
const rolesOf = async (account: Person) => {
  const rows = await app.context.db
    .selectFrom('account_members')
    .select(['user_id', 'role'])
    .where('account_id', '=', account.id)
    .execute()
  return Object.fromEntries(rows.map(({ user_id, role }) => [user_id, role]))
}
const suspend = ({ id }: Person) =>
  app.context.db.updateTable('profiles').set({ status: 'suspended' }).where('user_id', '=', id).execute()

describe('a person of an account', () => {
  test('is blocked with the account, and an agent’s own block stops nobody else', async () => {
    const agent = await givenMember(app, owner, 'agent')
    const finance = await givenMember(app, owner, 'finance')
    await suspend(agent)
    expect((await me(agent)).status).toBe(403)
    expect((await me(finance)).status).toBe(200)
    await suspend(owner)
    expect(await me(finance)).toMatchObject({ status: 403, json: { detail: 'This account is suspended.' } })
  })

  test('acts for the account: sees its money by the role, and is counted with its limits', async () => {
    const finance = await givenMember(app, owner, 'finance')
    const { json } = await app.call('GET', '/api/v1/account', { token: finance.token })
    expect(json).toMatchObject({ user_id: owner.id, status: 'active' })
    expect((await app.call('GET', '/api/v1/balance', { token: finance.token })).status).toBe(200)
    const refused = await app.call('GET', '/api/v1/leads', { token: finance.token })
    expect(refused).toMatchObject({
      status: 403,
      json: { detail: 'This needs the role owner, manager or agent in the account. Yours is finance.' },
    })
    const change = (body: object) => app.call('PATCH', '/api/v1/account', { token: finance.token, body })
    expect((await change({ version: 1, low_balance_threshold: '75.00' })).status).toBe(200)
    expect((await change({ version: 2, business_name: 'Mine' })).json.detail).toMatch(/^Your role changes/)
  })

  test('keeps sessions, name and audit log of their own', async () => {
    const manager = await givenMember(app, owner, 'manager')
    await app.call('PATCH', '/api/v1/me', { token: manager.token, body: { name: 'Mia Manager' } })
    expect((await me(manager)).json).toMatchObject({ user_id: manager.id, account_id: owner.id })
    expect((await me(owner)).json).not.toMatchObject({ name: 'Mia Manager' })
    const { json } = await app.call('GET', '/api/v1/me/audit', { token: manager.token })
    expect(json.data.map((row) => ownAuditRowSchema.parse(row).action)).toContain('user_updated')
    const sessions = await app.call('GET', '/api/v1/me/sessions', { token: owner.token })
    expect(sessions.json.data).toHaveLength(1)
  })

  test('has a token that names the account and the person', async () => {
    const agent = await givenMember(app, owner, 'agent')
    const body = { email: agent.email, password: PASSWORD }
    const { json } = await app.call('POST', '/auth/v1/token?grant_type=password', { body })
    expect(decodeJwt(json.access_token)).toMatchObject({
      sub: agent.id,
      account_id: owner.id,
      member_user_id: agent.id,
    })
    expect(decodeJwt(owner.token)).not.toHaveProperty('account_id')
  })

  test('is named where they did something, while the row is the account’s', async () => {
    const manager = await givenMember(app, owner, 'manager')
    const body = { webhook_name: 'CRM', endpoint_url: 'https://crm.example.com' }
    const { json } = await app.call('POST', '/api/v1/webhook-configs', { token: manager.token, body })
    expect(json).toMatchObject({ client_user_id: owner.id, created_by: manager.id })
    expect((await app.call('GET', `/api/v1/webhook-configs/${json.id}`, { token: owner.token })).status).toBe(
      200,
    )
  })
})

describe('a role', () => {
  test('counts from the next request on, is told to the person, and ends a stream of changes', async () => {
    const agent = await givenMember(app, owner, 'agent')
    const stream = await listenToChanges(app.url, agent.token)
    expect((await give(owner, agent, 'finance', 1)).json).toMatchObject({ role: 'finance', version: 2 })
    expect((await me(agent)).json).toMatchObject({
      member_role: 'finance',
      permissions: ['figures', 'money'],
    })
    await waitUntil(stream.isOver, { what: 'the end of the stream' })
    expect(await readNotices(app, agent)).toMatchObject([
      { template: 'member_role', data: { role: 'finance' } },
    ])
    expect(await readMemberAudit(app, owner)).toMatchObject([
      {
        action: 'member_role_changed',
        actor_id: owner.id,
        details: { before: { role: 'agent' }, after: { role: 'finance' } },
      },
    ])
  })

  test('that is less withdraws what the person invited to higher roles, and no link shows what it did before', async () => {
    const second = await app.newClient()
    const own = await inviteByMail(app, owner, { email: second.email, role: 'owner' })
    await callMembers(app, second, 'POST', '/invitations/accept', { token: own })
    const [high, low] = [await app.newClient(), await app.newClient()]
    const tokens = {
      high: await inviteByMail(app, second, { email: high.email, role: 'owner' }),
      low: await inviteByMail(app, second, { email: low.email, role: 'agent' }),
    }
    expect((await give(owner, second, 'manager')).status).toBe(200)
    const accept = (person: Person, token: string) =>
      callMembers(app, person, 'POST', '/invitations/accept', { token })
    expect((await accept(high, tokens.high)).status).toBe(404)
    expect((await accept(low, tokens.low)).status).toBe(200)
    expect((await accept(second, own)).json).toMatchObject({ member_role: 'manager', balance: null })
  })

  test('of an owner shows the audit log of the account, and a lower one only what is about the person', async () => {
    const second = await givenMember(app, owner, 'manager')
    const actions = async ({ token }: Person) =>
      (await app.call('GET', '/api/v1/me/audit', { token })).json.data.map(
        (row) => ownAuditRowSchema.parse(row).action,
      )
    await handOver(owner, second)
    expect(await actions(second)).toEqual(expect.arrayContaining(['account_handed_over', 'signed_up']))
    expect((await actions(second)).filter((action) => action === 'signed_up')).toHaveLength(1)
    expect(await actions(owner)).toContain('signed_up')
    expect(await actions(owner)).not.toContain('account_handed_over')
    expect(await actions(owner)).not.toContain('client_approved')
  })

  test('is not changed on top of a change that the caller has not seen', async () => {
    const agent = await givenMember(app, owner, 'agent')
    await give(owner, agent, 'finance', 1)
    const { status, json } = await give(owner, agent, 'manager', 1)
    expect({ status, json }).toMatchObject({
      status: 409,
      json: { code: 'version_conflict', current: { role: 'finance' }, yours: { role: 'manager' } },
    })
  })

  test('of a manager reaches agents only', async () => {
    const manager = await givenMember(app, owner, 'manager')
    const agent = await givenMember(app, owner, 'agent')
    const finance = await givenMember(app, owner, 'finance')
    for (const answer of [
      await give(manager, agent, 'owner'),
      await give(manager, finance, 'agent'),
      await give(manager, owner, 'agent'),
      await remove(manager, finance),
      await remove(manager, owner),
      await handOver(manager, manager),
    ])
      expect(answer.status).toBe(403)
    expect((await remove(manager, agent)).status).toBe(204)
  })

  test('of another account’s person is nobody’s business', async () => {
    const stranger = await givenMember(app, await app.newClient(), 'agent')
    for (const answer of [
      await give(owner, stranger, 'owner'),
      await remove(owner, stranger),
      await handOver(owner, stranger),
    ])
      expect(answer.status).toBe(404)
  })
})

describe('the last owner', () => {
  test('cannot leave, and has no role below', async () => {
    const manager = await givenMember(app, owner, 'manager')
    expect((await leave(owner)).json.detail).toBe(LAST_OWNER)
    expect((await give(owner, owner, 'manager')).json.detail).toBe(LAST_OWNER)
    expect((await remove(owner, owner)).status).toBe(409)
    expect((await remove(manager, owner)).status).toBe(403)
    expect((await leave(await app.newClient())).json.detail).toMatch(/^You are alone/)
  })

  test('hands the account over, and is then a manager', async () => {
    const manager = await givenMember(app, owner, 'manager')
    const { status, json } = await handOver(owner, manager)
    expect({ status, roles: json.data }).toMatchObject({
      status: 200,
      roles: [
        { user_id: owner.id, role: 'manager', is_founder: true },
        { user_id: manager.id, role: 'owner', is_founder: false },
      ],
    })
    expect((await me(owner)).json).toMatchObject({ account_id: owner.id, member_role: 'manager' })
    expect((await me(manager)).json).toMatchObject({ account_id: owner.id, member_role: 'owner' })
    expect((await handOver(owner, manager)).status).toBe(403)
    expect(await readNotices(app, owner)).toMatchObject([
      { template: 'account_handed_over', data: { is_yours: false } },
    ])
    expect(await readNotices(app, manager)).toMatchObject([
      { template: 'account_handed_over', data: { is_yours: true } },
    ])
  })

  test('hands the account over and leaves: a founder then has a sign-in and nothing else', async () => {
    const manager = await givenMember(app, owner, 'manager')
    expect((await handOver(owner, manager, true)).status).toBe(204)
    expect((await me(owner)).status).toBe(401)
    const body = { email: owner.email, password: PASSWORD }
    const again = await app.call('POST', '/auth/v1/token?grant_type=password', { body })
    const founder = { ...owner, token: again.json.access_token }
    expect((await me(founder)).json).toMatchObject({ member_role: 'none', permissions: [], balance: null })
    for (const path of ['/api/v1/leads', '/api/v1/account', '/api/v1/balance', '/api/v1/dashboard'])
      expect((await app.call('GET', path, { token: founder.token })).status).toBe(403)
    expect((await app.call('GET', '/api/v1/me/sessions', { token: founder.token })).status).toBe(200)
    expect((await callMembers(app, manager, 'GET')).json.data).toMatchObject([{ user_id: manager.id }])
  })
})

describe('changes at one moment', () => {
  test('two owners who remove each other leave one', async () => {
    for (let round = 0; round < 3; round += 1) {
      const founder = await app.newClient()
      const second = await givenMember(app, founder, 'owner')
      const answers = await Promise.all([remove(founder, second), remove(second, founder)])
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, expect.any(Number)])
      const { json } = await callMembers(app, answers[0]?.status === 204 ? founder : second, 'GET')
      expect(json.data).toMatchObject([{ role: 'owner' }])
    }
  })

  test('two owners who leave at once leave one', async () => {
    const founder = await app.newClient()
    const second = await givenMember(app, founder, 'owner')
    const answers = await Promise.all([leave(founder), leave(second)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409])
  })

  test('a hand-over and the removal of its receiver never leave the account without an owner', async () => {
    for (let round = 0; round < 4; round += 1) {
      const founder = await app.newClient()
      const receiver = await givenMember(app, founder, 'manager')
      const other = await givenMember(app, founder, 'owner')
      const [given, removed] = await Promise.all([handOver(founder, receiver, true), remove(other, receiver)])
      expect([204, 404]).toContain(given.status)
      expect(removed.status).toBe(204)
      const owners = Object.values(await rolesOf(founder)).filter((role) => role === 'owner')
      expect(owners).toHaveLength(1)
    }
  })

  test('a role change and a removal of one person end in one of the two', async () => {
    const agent = await givenMember(app, owner, 'agent')
    const [changed, removed] = await Promise.all([give(owner, agent, 'finance'), remove(owner, agent)])
    expect([200, 404]).toContain(changed.status)
    expect(removed.status).toBe(204)
    expect(await rolesOf(owner)).toEqual({})
  })
})
