import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import { startMailServer, type MailServer } from '#tests/support/peers/mail-server.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

let server: MailServer
let app: TestApp
let client: Person
let other: Person
let agent: Person
beforeAll(async () => {
  server = await startMailServer()
  app = await startApp({ SMTP_URL: server.url, AUTH_EMAIL_AUTOCONFIRM: '0' })
  client = await givenConfirmed('client@example.com')
  other = await givenConfirmed('other@example.com')
  agent = await givenConfirmed('agent@example.com')
  await app.context.db
    .insertInto('account_members')
    .values({ user_id: agent.id, account_id: client.id, role: 'agent', added_by: client.id })
    .execute()
})
afterAll(async () => {
  await app.close()
  await server.close()
})
beforeEach(() => {
  server.mails.length = 0
})

async function givenConfirmed(email: string): Promise<Person> {
  const { mountPath } = app.context.config.auth
  const body = { email, password: PASSWORD }
  await app.call('POST', `${mountPath}/signup`, { body })
  await app.context.db
    .updateTable('auth.users')
    .set({ email_confirmed_at: new Date() })
    .where('email', '=', email)
    .execute()
  const { json } = await app.call('POST', `${mountPath}/token?grant_type=password`, { body })
  return { token: json.access_token, id: json.user.id, email }
}

const PATH = '/api/v1/webhook-configs'
const create = (fields: Record<string, unknown>, who = client) =>
  app.call('POST', PATH, { token: who.token, body: { webhook_name: 'By mail', ...fields } })
const testEndpoint = (body: unknown, who = client) =>
  app.call('POST', '/functions/v1/test-webhook-endpoint', { token: who.token, body })
const addressesOf = async ({ token }: Person) =>
  (await app.call('GET', `${PATH}/mail-addresses`, { token })).text

test('offers the confirmed addresses of the people of the account, and an agent only their own', async () => {
  expect(JSON.parse(await addressesOf(client))).toEqual({
    mail_addresses: [client.email, agent.email].toSorted(),
  })
  expect(JSON.parse(await addressesOf(agent))).toEqual({ mail_addresses: [agent.email] })
  expect(JSON.parse(await addressesOf(other))).toEqual({ mail_addresses: [other.email] })
})

test('offers no address that a URL cannot hold', async () => {
  const odd = await givenConfirmed('a&b@example.com')
  expect(JSON.parse(await addressesOf(odd))).toEqual({ mail_addresses: [] })
  expect(await create({ endpoint_url: `mailto:${odd.email}` }, odd)).toMatchObject({ status: 422 })
})

describe('a webhook that sends mail', () => {
  test('is saved with an address of the account, and tested by a marked mail', async () => {
    const { status, json } = await create({ endpoint_url: `mailto:${agent.email}` })
    expect({ status, url: json.endpoint_url }).toEqual({ status: 201, url: `mailto:${agent.email}` })

    const tested = await testEndpoint({ webhookId: json.id })
    expect(tested.json).toMatchObject({ success: true, response_status: 250 })
    const [mail] = await server.waitForCount(1)
    expect(mail?.to).toEqual([agent.email])
    expect(mail?.content).toMatch(/^Subject: Test lead: Final expense, CA \[/m)
    expect(mail?.content).toMatch(/This is a test\./)
    expect(mail?.content).toMatch(/^name: Test Lead\r$/m)
  })

  test('shows the mail server’s refusal in a test', async () => {
    server.answer({ at: 'RCPT', says: '550 5.1.1 nobody' })
    const { json } = await testEndpoint({ endpoint_url: `mailto:${client.email}` })
    server.answer()
    expect(json).toMatchObject({ success: false, response_status: 550, response_body: '550 5.1.1 nobody' })
  })

  test('can be neither saved nor tested for a stranger, nor changed to one', async () => {
    const { json: own } = await create({ endpoint_url: `mailto:${client.email}` })
    for (const email of ['stranger@example.com', other.email]) {
      const endpoint_url = `mailto:${email}`
      const refused = { status: 422, json: { code: 'unusable_endpoint', errors: [{ path: 'endpoint_url' }] } }
      expect(await create({ endpoint_url })).toMatchObject(refused)
      const changed = await app.call('PATCH', `${PATH}/${own.id}`, {
        token: client.token,
        body: { endpoint_url },
      })
      expect(changed).toMatchObject(refused)
      expect((await testEndpoint({ endpoint_url })).json).toMatchObject({ success: false })
    }
    expect(await create({ endpoint_url: `mailto:${client.email}` }, agent)).toMatchObject({ status: 422 })
    expect(server.mails).toEqual([])
  })

  test('is not switched on again for somebody who has left the account', async () => {
    const left = await givenConfirmed('left@example.com')
    const row = { user_id: left.id, account_id: client.id, role: 'agent', added_by: client.id } as const
    await app.context.db.insertInto('account_members').values(row).execute()
    const { json } = await create({ endpoint_url: `mailto:${left.email}`, is_active: false })
    await app.context.db.deleteFrom('account_members').where('user_id', '=', left.id).execute()

    const change = (body: unknown) => app.call('PATCH', `${PATH}/${json.id}`, { token: client.token, body })
    expect(await change({ is_active: true })).toMatchObject({
      status: 422,
      json: { code: 'unusable_endpoint', errors: [{ path: 'endpoint_url' }] },
    })
    const body = { waiting: 'discard' }
    expect(
      await app.call('POST', `${PATH}/${json.id}/switch-on`, { token: client.token, body }),
    ).toMatchObject({ status: 422, json: { code: 'unusable_endpoint' } })
    expect(await change({ webhook_name: 'Another name' })).toMatchObject({ status: 200 })
    expect(await change({ is_active: true, endpoint_url: `mailto:${client.email}` })).toMatchObject({
      status: 200,
    })
  })

  test.each([
    ['two addresses', 'mailto:a@example.com,b@example.com'],
    ['a query', 'mailto:a@example.com?bcc=b@example.com'],
    ['a placeholder', 'mailto:{{email}}'],
  ])('refuses %s', async (_what, endpoint_url) => {
    expect(await create({ endpoint_url })).toMatchObject({ status: 422, json: { code: 'unusable_endpoint' } })
  })

  test('refuses what no mail has, and revocations, whose receipt it cannot be', async () => {
    const endpoint_url = `mailto:${client.email}`
    const { status, json } = await create({
      endpoint_url,
      custom_headers: { 'X-Key': 'abc' },
      authentication: { type: 'bearer', token: 'abc' },
      events: ['lead.returned', 'lead.consent_revoked'],
    })
    expect(status).toBe(422)
    expect(json.errors.map(({ path }) => path).toSorted()).toEqual([
      'authentication',
      'custom_headers',
      'events',
    ])

    const { json: told } = await create({
      endpoint_url: 'https://crm.example.com',
      events: ['lead.consent_revoked'],
    })
    const changed = await app.call('PATCH', `${PATH}/${told.id}`, {
      token: client.token,
      body: { endpoint_url },
    })
    expect(changed).toMatchObject({ status: 422, json: { errors: [{ path: 'events' }] } })
  })

  test('cannot be tested with a revocation', async () => {
    const { json } = await create({ endpoint_url: `mailto:${client.email}` })
    const event = 'lead.consent_revoked'
    for (const tested of [
      { webhookId: json.id, event },
      { endpoint_url: `mailto:${client.email}`, event },
    ])
      expect((await testEndpoint(tested)).json).toMatchObject({
        success: false,
        error: expect.stringMatching(
          /^A mail is no receipt, so lead\.consent_revoked cannot go by mail/,
        ) as string,
      })
    expect(server.mails).toEqual([])
    expect((await testEndpoint({ webhookId: json.id, event: 'lead.returned' })).json).toMatchObject({
      success: true,
    })
  })

  test('has a number of tests an hour and a day, for its account and for its address', async () => {
    const { json } = await create({ endpoint_url: `mailto:${agent.email}` })
    const count = (key: 'account' | 'address', set: { in_hour?: number; in_day?: number }) =>
      app.context.db.updateTable('test_mail_counts').set(set).where('counted', 'like', `${key}:%`).execute()
    const ask = async (who = client) => await testEndpoint({ webhookId: json.id }, who)
    expect((await ask()).json).toMatchObject({ success: true })
    for (const [key, set, back] of [
      ['account', { in_hour: 30 }, { in_hour: 1 }],
      ['account', { in_day: 100 }, { in_day: 1 }],
      ['address', { in_hour: 20 }, { in_hour: 1 }],
      ['address', { in_day: 50 }, { in_day: 1 }],
    ] as const) {
      await count(key, set)
      const { json: refused, headers } = await ask()
      expect(refused).toMatchObject({
        success: false,
        error: expect.stringMatching(/^Nothing was sent: there can be 30 test mails an hour/) as string,
      })
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      await count(key, back)
    }
    // Refused ones are not counted.
    expect((await ask()).json).toMatchObject({ success: true })
    // The address has had its number, whichever account asks.
    await count('address', { in_hour: 20 })
    expect((await testEndpoint({ endpoint_url: `mailto:${agent.email}` }, agent)).json).toMatchObject({
      success: false,
    })
    await count('address', { in_hour: 0 })
  })

  test('has no endpoint to certify', async () => {
    const { json } = await create({ endpoint_url: `mailto:${client.email}` })
    for (const method of ['GET', 'POST'])
      expect(
        await app.call(method, `${PATH}/${json.id}/certification`, { token: client.token }),
      ).toMatchObject({ status: 422, json: { code: 'unusable_endpoint' } })
  })
})
