import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '../../support/start-app.ts'

const LEAST = { name: 'Texas seniors', lead_type: 'final_expense', timezone: 'America/New_York' }
const HOOK = { webhook_name: 'CRM', endpoint_url: 'https://crm.example.com/leads' }
const NOBODY = '01920000-0000-7000-8000-000000000001'

let app: TestApp
let client: Person
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()

  test('a refusal lists at most a hundred unknown fields, and shortens long names', async () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`field_${at}`, 1]))
    const { json } = await call('POST', 'orders', { ...LEAST, ...many })
    expect(json.errors).toHaveLength(100)
    const long = await call('POST', 'orders', { ...LEAST, ['n'.repeat(1_000_000)]: 1 })
    expect(long.json.errors).toEqual([fault('n'.repeat(200))])
  })
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown, person = client) =>
  app.call(method, `/api/v1/${path}`, { token: person.token, ...(body === undefined ? {} : { body }) })
const fault = (path: string, meant?: string) => ({
  path,
  message: `There is no such field${meant === undefined ? '' : `. Did you mean ${meant}?`}`,
})

describe('an unknown field', () => {
  test.each([
    ['POST', 'orders', { ...LEAST, dayly_cap: 5 }, [fault('dayly_cap', 'daily_cap')]],
    ['POST', 'orders', { ...LEAST, cap_a_day: 5, price: '1.00' }, [fault('cap_a_day'), fault('price')]],
    [
      'POST',
      'orders',
      { ...LEAST, schedule: { monday: [['09:00', '17:00']], tue: [['09:00', '17:00']] } },
      [fault('schedule.monday', 'mon')],
    ],
    ['POST', 'orders/estimate', { ...LEAST, state: ['TX'], stats: ['TX'] }, [fault('stats', 'states')]],
    ['PATCH', `orders/${NOBODY}`, { version: 1, dailycap: 5 }, [fault('dailycap', 'daily_cap')]],
    ['PATCH', 'account', { version: 1, timezome: 'UTC' }, [fault('timezome', 'timezone')]],
    [
      'PATCH',
      'account',
      { version: 1, notices: { low_balence: false } },
      [fault('notices.low_balence', 'low_balance')],
    ],
    ['PATCH', 'me', { name: 'A', nickname: 'B' }, [fault('nickname')]],
    ['POST', 'payments', { amount: 50, save_methud: true }, [fault('save_methud', 'save_method')]],
    ['POST', 'setup/skip', { step: 'order', steps: [] }, [fault('steps', 'step')]],
    ['POST', 'webhook-configs', { ...HOOK, is_activ: false }, [fault('is_activ', 'is_active')]],
    [
      'POST',
      'webhook-configs',
      { ...HOOK, authentication: { type: 'bearer', token: 't', tokens: [] } },
      [fault('authentication.tokens', 'token')],
    ],
    [
      'POST',
      'webhook-configs',
      {
        ...HOOK,
        sending_hours: { time_zone: 'UTC', timezone: 'UTC', schedule: { mon: [['09:00', '17:00']] } },
      },
      [fault('sending_hours.time_zone', 'timezone')],
    ],
    ['PATCH', `webhook-configs/${NOBODY}`, { isactive: false }, [fault('isactive', 'is_active')]],
    [
      'POST',
      'webhook-configs/preview',
      { payload_template: {}, missing_value: 'omit' },
      [fault('missing_value', 'missing_values')],
    ],
    ['POST', `webhook-configs/${NOBODY}/switch-on`, { test: true }, [fault('test')]],
    [
      'POST',
      `webhook-configs/${NOBODY}/resend-failed`,
      { since: '2026-01-01T00:00:00Z', dryrun: true },
      [fault('dryrun', 'dry_run')],
    ],
    ['POST', `webhook-configs/${NOBODY}/cancel-waiting`, { dry: true }, [fault('dry')]],
  ])('is refused by %s %s and named: %j', async (method, path, body, errors) => {
    expect(await call(method, path, body)).toMatchObject({
      status: 422,
      json: { code: 'validation_failed', errors },
    })
  })

  test.each([
    ['POST', 'admin/sources', { name: 'S', owner: NOBODY }, [fault('owner')]],
    [
      'POST',
      `admin/clients/${NOBODY}/adjust`,
      { amount: 1, note: 'n', notes: 'x' },
      [fault('notes', 'note')],
    ],
    ['POST', `admin/payments/${NOBODY}/receive`, { nota: 'x' }, [fault('nota', 'note')]],
    ['PATCH', `admin/orders/${NOBODY}`, { version: 1, wieght: 5 }, [fault('wieght', 'weight')]],
    [
      'POST',
      'admin/dead-letters/redrive',
      { filter: { clinet: NOBODY }, dryrun: true },
      [fault('filter.clinet', 'client'), fault('dryrun', 'dry_run')],
    ],
  ])('is refused for administrators by %s %s: %j', async (method, path, body, errors) => {
    const { status, json } = await call(method, path, body, app.admin)
    expect([status, json.code]).toEqual([422, 'validation_failed'])
    expect(json.errors).toEqual(expect.arrayContaining(errors))
  })

  test('is reported together with all other faults, and nothing is written', async () => {
    const before = (await call('GET', 'orders')).json.data.length
    const refused = await call('POST', 'orders', { ...LEAST, name: '', daily_cap: 0, weeklycap: 1 })
    expect(refused.json.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      'daily_cap',
      'name',
      'weeklycap',
    ])
    expect((await call('GET', 'orders')).json.data).toHaveLength(before)
  })
})

describe('an answer can be sent back with a change', () => {
  test('of an order, an account and a name', async () => {
    const { json: order } = await call('POST', 'orders', { ...LEAST, daily_cap: 5 })
    const changed = await call('PATCH', `orders/${order.id}`, { ...order, daily_cap: 6, price: '0.01' })
    expect(changed).toMatchObject({ status: 200, json: { daily_cap: 6, price: '25.00', version: 2 } })
    expect((await call('POST', 'orders/estimate', order)).status).toBe(200)

    const { json: account } = await call('GET', 'account')
    const named = await call('PATCH', 'account', { ...account, business_name: 'Example', status: 'active' })
    expect(named).toMatchObject({ status: 200, json: { business_name: 'Example', status: account.status } })

    const { json: me } = await call('GET', 'me')
    expect(await call('PATCH', 'me', { ...me, name: 'Rosa', role: 'admin' })).toMatchObject({
      status: 200,
      json: { name: 'Rosa', role: 'client' },
    })
  })

  test('of a webhook, even as a new webhook', async () => {
    const made = await call('POST', 'webhook-configs', {
      ...HOOK,
      client_user_id: app.admin.id,
      created_by: app.admin.id,
    })
    expect(made).toMatchObject({ status: 201, json: { client_user_id: client.id, created_by: client.id } })
    const { json: hook } = made
    const path = `webhook-configs/${hook.id}`
    expect(await call('PATCH', path, { ...hook, webhook_name: 'Dialer' })).toMatchObject({
      status: 200,
      json: { webhook_name: 'Dialer' },
    })
    const toggle = { is_active: false, updated_at: '2020-01-01T00:00:00.000Z' }
    const toggled = (await call('PATCH', path, toggle)).json
    expect(toggled.is_active).toBe(false)
    expect(toggled.updated_at > hook.updated_at).toBe(true)
    expect(await call('POST', 'webhook-configs', { ...hook, webhook_name: 'Copy' })).toMatchObject({
      status: 201,
      json: { webhook_name: 'Copy' },
    })
  })
})
