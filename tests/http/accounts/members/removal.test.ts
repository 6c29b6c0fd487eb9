import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ADMITTED_MS } from '#server/http/mount-routes.ts'
import { chooseMember } from '#server/market/own-member.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { listenToChanges } from '../../support/listen-to-changes.ts'
import { newLead, startApp, type Person, type TestApp } from '../../support/start-app.ts'
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

const me = async ({ token }: Person) => await app.call('GET', '/api/v1/me', { token })
const remove = (by: Person, gone: Person) => callMembers(app, by, 'DELETE', `/${gone.id}`)
const leave = (person: Person) => callMembers(app, person, 'POST', '/leave')
const rolesOf = async (account: Person) => {
  const rows = await app.context.db
    .selectFrom('account_members')
    .select(['user_id', 'role'])
    .where('account_id', '=', account.id)
    .execute()
  return Object.fromEntries(rows.map(({ user_id, role }) => [user_id, role]))
}

describe('a person who is removed', () => {
  test('is out within a second: the token, the stream and the refresh end', async () => {
    const agent = await givenMember(app, owner, 'agent')
    const stream = await listenToChanges(app.url, agent.token)
    expect((await me(agent)).status).toBe(200)
    expect((await remove(owner, agent)).status).toBe(204)
    const at = performance.now()
    expect((await me(agent)).status).toBe(401)
    const token = performance.now() - at
    await waitUntil(stream.isOver, { what: 'the end of the stream' })
    const ended = performance.now() - at
    process.stdout.write(
      `after the removal: token refused ${token.toFixed(0)} ms, stream over ${ended.toFixed(0)} ms\n`,
    )
    expect(token).toBeLessThan(1000)
    expect(ended).toBeLessThan(1000)
  })

  test('gets nothing done by a request whose body they were still sending', async () => {
    const manager = await givenMember(app, owner, 'manager')
    const body = JSON.stringify({ webhook_name: 'Late', endpoint_url: 'https://late.example.com' })
    const headers = {
      authorization: `Bearer ${manager.token}`,
      'content-type': 'application/json',
      'content-length': String(body.length),
    }
    const sending = request(`${app.url}/api/v1/webhook-configs`, { method: 'POST', headers })
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>
    sending.write(body.slice(0, 10))
    // Only time makes the server look at the person again.
    await setTimeout(ADMITTED_MS + 200)
    expect((await remove(owner, manager)).status).toBe(204)
    sending.end(body.slice(10))
    const [answer] = await answered
    answer.resume()
    expect(answer.statusCode).toBe(401)
    const { json } = await app.call('GET', '/api/v1/webhook-configs', { token: owner.token })
    expect(json.data).toEqual([])
  })

  test('makes nothing of their own by a request that was admitted before', async () => {
    const stranger = await app.newClient()
    const before = { user_id: owner.id, member_user_id: stranger.id }
    await expect(chooseMember(app.context.db, before, undefined)).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('leaves leads, webhooks and orders with the account: open, switched off, paused', async () => {
    const agent = await givenMember(app, owner, 'agent')
    const { db } = app.context
    const source = await app.newSource({ owner })
    const config = { webhook_name: 'CRM', endpoint_url: 'https://crm.example.com' }
    const order = { name: 'Ours', lead_type: 'final_expense', timezone: 'America/New_York' }
    const post = async (path: string, body: unknown, token = owner.token) =>
      (await app.call('POST', `/api/v1/${path}`, { token, body })).json
    const ids = {
      leads: (await post('leads', newLead(), source.key)).lead_id,
      client_webhook_configs: (await post('webhook-configs', config)).id,
      orders: (await post('orders', order)).id,
    }
    for (const table of ['leads', 'client_webhook_configs', 'orders'] as const)
      await db.updateTable(table).set({ member_user_id: agent.id }).where('id', '=', ids[table]).execute()

    expect((await remove(owner, agent)).status).toBe(204)

    const get = async (path: string) =>
      (await app.call('GET', `/api/v1/${path}`, { token: owner.token })).json
    const lead = await get(`leads/${ids.leads}`)
    expect(lead.timeline.find(({ type }) => type === 'lead.given')).toMatchObject({
      data: { member_user_id: null, released: true },
    })
    const stored = await db
      .selectFrom('leads')
      .select('member_user_id')
      .where('id', '=', ids.leads)
      .executeTakeFirst()
    expect(stored).toEqual({ member_user_id: null })
    expect(await get(`webhook-configs/${ids.client_webhook_configs}`)).toMatchObject({ is_active: false })
    expect(await get(`orders/${ids.orders}`)).toMatchObject({ paused_by: 'client' })
  })

  test('and the owners are told, and invitations that they sent open nothing', async () => {
    const manager = await givenMember(app, owner, 'manager')
    const agent = await app.newClient()
    const token = await inviteByMail(app, manager, { email: agent.email, role: 'agent' })
    await remove(owner, manager)
    expect((await callMembers(app, agent, 'POST', '/invitations/accept', { token })).status).toBe(404)
    expect(await readNotices(app, manager)).toMatchObject([{ template: 'member_removed' }])
    expect(await readNotices(app, owner)).toMatchObject([
      { template: 'member_gone', data: { removed: true } },
    ])
    expect((await readMemberAudit(app, owner)).at(-1)).toMatchObject({
      action: 'member_removed',
      details: { member: manager.id, before: { role: 'manager' } },
    })
  })

  test('may join again, and one who left has an account of their own again', async () => {
    const agent = await givenMember(app, owner, 'agent')
    // The mailbox part of the address stands in for a name at sign-up, and nobody is called by it.
    const name = agent.email.replace(/@.*$/, '')
    await app.context.db.updateTable('profiles').set({ name }).where('user_id', '=', agent.id).execute()
    expect((await leave(agent)).status).toBe(204)
    expect(await readNotices(app, owner)).toMatchObject([
      { template: 'member_gone', data: { removed: false, member_name: agent.email } },
    ])
    expect(await rolesOf(owner)).toEqual({})
  })
})
