import { meSchema } from '#core/contract/accounts/account.ts'
import { memberListSchema } from '#core/contract/accounts/members.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '../../support/start-app.ts'
import {
  callMembers,
  givenMember,
  inviteByMail,
  readInvitationMail,
  readMemberAudit,
  readNotices,
  readToken,
} from './given-members.ts'

let app: TestApp
let owner: Person
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  owner = await app.newApprovedClient()
})

const accept = (person: Person, token: string) =>
  callMembers(app, person, 'POST', '/invitations/accept', { token })
const read = (person: Person, token: string) =>
  callMembers(app, person, 'POST', '/invitations/read', { token })
const invite = (by: Person, email: string, role = 'agent') =>
  callMembers(app, by, 'POST', '/invitations', { email, role })
const accountOf = async ({ token }: Person) =>
  meSchema.parse((await app.call('GET', '/api/v1/me', { token })).json)

describe('an invitation into an account', () => {
  test('is mailed to the invited address, and brings the person into the account', async () => {
    const agent = await app.newClient()
    const sent = await invite(owner, ` ${agent.email.toUpperCase()} `)
    expect(sent).toMatchObject({ status: 201, json: { email: agent.email, role: 'agent' } })
    const mail = await readInvitationMail(app, agent.email)
    expect(mail).toMatchObject({ address: agent.email, role: 'agent' })
    expect(mail.url).toMatch(new RegExp(`^${app.url}/join#token=[\\w-]{43}$`))

    const token = readToken(mail)
    expect((await read(agent, token)).json).toMatchObject({ role: 'agent', email: agent.email })
    const { status, json } = await accept(agent, token)
    const expected = {
      account_id: owner.id,
      member_role: 'agent',
      permissions: ['leads', 'orders', 'webhooks', 'figures'],
      balance: null,
    }
    expect({ status, json }).toMatchObject({ status: 200, json: expected })
    expect(await accountOf(agent)).toMatchObject(expected)

    const list = await callMembers(app, owner, 'GET')
    expect(list.json).toMatchObject({
      data: [
        { user_id: owner.id, role: 'owner', is_you: true, is_founder: true, version: 0 },
        { user_id: agent.id, role: 'agent', is_you: false, is_founder: false, version: 1 },
      ],
      invitations: [],
    })
    expect(await readNotices(app, owner)).toMatchObject([{ template: 'member_joined' }])
    expect(await readMemberAudit(app, owner)).toMatchObject([
      { action: 'member_invited', actor: 'user', actor_id: owner.id, details: { after: { role: 'agent' } } },
      { action: 'member_joined', actor: 'user', actor_id: agent.id, details: { member: agent.id } },
    ])
  })

  test('accepted again by the same person changes nothing, and by another person opens nothing', async () => {
    const agent = await app.newClient()
    const other = await app.newClient()
    const token = await inviteByMail(app, owner, { email: agent.email, role: 'agent' })
    expect((await accept(agent, token)).status).toBe(200)
    expect((await accept(agent, token)).status).toBe(200)
    expect((await accept(other, token)).status).toBe(404)
    expect((await read(agent, token)).status).toBe(404)
    expect((await callMembers(app, owner, 'GET')).json.data).toHaveLength(2)
  })

  test('accepted at one moment by many requests brings the person in once', async () => {
    const agent = await app.newClient()
    const token = await inviteByMail(app, owner, { email: agent.email, role: 'agent' })
    const answers = await Promise.all(Array.from({ length: 8 }, () => accept(agent, token)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect((await readMemberAudit(app, owner)).map(({ action }) => action)).toEqual([
      'member_invited',
      'member_joined',
    ])
  })

  test('is refused to another address, without a word about the account', async () => {
    const agent = await app.newClient()
    const other = await app.newClient()
    const token = await inviteByMail(app, owner, { email: agent.email, role: 'agent' })
    for (const answer of [await read(other, token), await accept(other, token)]) {
      expect(answer).toMatchObject({ status: 409, json: { code: 'conflict' } })
      expect(answer.json.detail).toMatch(/^This invitation is for another email address\./)
      expect(answer.text).not.toContain(agent.email)
    }
  })

  test('is refused to an address that is not confirmed', async () => {
    const agent = await app.newClient()
    await app.context.db
      .updateTable('auth.users')
      .set({ email_confirmed_at: null })
      .where('id', '=', agent.id)
      .execute()
    const token = await inviteByMail(app, owner, { email: agent.email, role: 'agent' })
    expect(await accept(agent, token)).toMatchObject({
      status: 409,
      json: { detail: 'Confirm your email address first.' },
    })
  })

  test('is refused after seven days', async () => {
    const agent = await app.newClient()
    const token = await inviteByMail(app, owner, { email: agent.email, role: 'agent' })
    const days = await app.context.db
      .selectFrom('account_invitations')
      .select(['created_at', 'expires_at'])
      .where('account_id', '=', owner.id)
      .executeTakeFirstOrThrow()
    expect(Math.round((days.expires_at.getTime() - days.created_at.getTime()) / 86_400_000)).toBe(7)
    await app.context.db
      .updateTable('account_invitations')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('account_id', '=', owner.id)
      .execute()
    expect(await accept(agent, token)).toMatchObject({ status: 409 })
    expect((await accept(agent, token)).json.detail).toMatch(/expired/)
  })

  test('opens nothing once its account’s founder has joined another account', async () => {
    const [founder, agent] = [await app.newApprovedClient(), await app.newClient()]
    const token = await inviteByMail(app, founder, { email: agent.email, role: 'agent' })
    const away = await inviteByMail(app, owner, { email: founder.email, role: 'agent' })
    expect((await accept(founder, away)).status).toBe(200)
    expect((await accept(agent, token)).status).toBe(404)
  })

  test('is refused to an administrator', async () => {
    const token = await inviteByMail(app, owner, { email: app.admin.email, role: 'agent' })
    const { status, json } = await accept(app.admin, token)
    expect(status).toBe(409)
    expect(json.detail).toMatch(/^An administrator of Leadwire cannot/)
  })

  test.each(['test lead', 'webhook', 'source'])(
    'is refused to a person whose own account has a %s',
    async (what) => {
      const agent = await app.newClient()
      const token = await inviteByMail(app, owner, { email: agent.email, role: 'agent' })
      if (what === 'source') await app.newSource({ owner: agent })
      else {
        const [path, body] = {
          'test lead': ['/api/v1/leads', {}],
          webhook: [
            '/api/v1/webhook-configs',
            { webhook_name: 'CRM', endpoint_url: 'https://crm.example.com' },
          ],
        }[what] as [string, unknown]
        expect((await app.call('POST', path, { token: agent.token, body })).status).toBe(201)
      }
      const { status, json } = await accept(agent, token)
      expect(status).toBe(409)
      expect(json.detail).toMatch(/^Your own account has been used/)
    },
  )

  test('is refused to somebody who belongs to an account, also to their own with people', async () => {
    const agent = await givenMember(app, await app.newClient(), 'agent')
    const founder = await app.newClient()
    await givenMember(app, founder, 'finance')
    for (const person of [agent, founder]) {
      const token = await inviteByMail(app, owner, { email: person.email, role: 'agent' })
      const { status, json } = await accept(person, token)
      expect({ status, detail: json.detail }).toEqual({
        status: 409,
        detail: 'You belong to an account with other people. Leave it first.',
      })
    }
  })

  test('is refused while its account is suspended', async () => {
    const agent = await app.newClient()
    const token = await inviteByMail(app, owner, { email: agent.email, role: 'agent' })
    await app.context.db
      .updateTable('profiles')
      .set({ status: 'suspended' })
      .where('user_id', '=', owner.id)
      .execute()
    expect((await accept(agent, token)).json.detail).toBe('This account is suspended.')
  })

  test('can be withdrawn, and is replaced by a second one', async () => {
    const agent = await app.newClient()
    const first = await inviteByMail(app, owner, { email: agent.email, role: 'agent' })
    const second = await inviteByMail(app, owner, { email: agent.email, role: 'finance' })
    expect((await accept(agent, first)).status).toBe(404)
    const { json } = await callMembers(app, owner, 'GET')
    const { invitations } = memberListSchema.parse(json)
    expect(invitations).toMatchObject([{ role: 'finance' }])
    const path = `/invitations/${invitations[0]?.id}`
    expect((await callMembers(app, await app.newApprovedClient(), 'DELETE', path)).status).toBe(404)
    expect((await callMembers(app, owner, 'DELETE', path)).status).toBe(204)
    expect((await callMembers(app, owner, 'DELETE', path)).status).toBe(404)
    expect((await accept(agent, second)).status).toBe(404)
  })

  test('needs an approved account, a role that the sender may give, and an address that is none of its people', async () => {
    const newcomer = await app.newClient()
    expect((await invite(newcomer, 'friend@example.com')).json.detail).toMatch(/^You can invite people once/)
    const manager = await givenMember(app, owner, 'manager')
    expect((await invite(manager, 'second@example.com', 'owner')).status).toBe(403)
    expect((await invite(manager, 'second@example.com', 'agent')).status).toBe(201)
    expect((await invite(owner, manager.email)).status).toBe(409)
    expect((await invite(owner, owner.email)).status).toBe(409)
    expect((await invite(owner, 'no address')).status).toBe(422)
    for (const role of ['agent', 'finance'] as const) {
      const person = await givenMember(app, owner, role)
      expect((await invite(person, 'third@example.com')).status).toBe(403)
    }
    expect((await invite(app.admin, 'fourth@example.com')).status).toBe(404)
  })

  test('is refused while twenty wait', async () => {
    for (let at = 0; at < 20; at += 1) expect((await invite(owner, `a${at}@example.org`)).status).toBe(201)
    expect(await invite(owner, 'one-more@example.org')).toMatchObject({ status: 409 })
    // Sending one again takes no further place.
    expect((await invite(owner, 'a7@example.org')).status).toBe(201)
  })
})
