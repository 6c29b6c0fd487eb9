import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'
import { readAudit } from './read-audit.ts'

let app: TestApp
let client: Person
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
})
afterAll(() => app.close())

const admin = (path: string, body: object, key?: string) =>
  app.call('POST', `/api/v1/admin/${path}`, {
    token: app.admin.token,
    body,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })
async function ask(): Promise<string> {
  const { json } = await app.call('POST', '/api/v1/payments', { token: client.token, body: { amount: '75' } })
  return json.id
}

test('receiving, rejecting and adjusting money is in the audit log once', async () => {
  const [paid, refused] = [await ask(), await ask()]
  const answers = await Promise.all([1, 2].map(() => admin(`payments/${paid}/receive`, { note: 'Wire 7' })))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  await admin(`payments/${refused}/reject`, {})
  const adjust = { amount: '-5.00', note: 'Paid twice' }
  for (const _again of [1, 2]) await admin(`clients/${client.id}/adjust`, adjust, 'key-1')

  expect(await readAudit(app, 'payment_received', client.id)).toMatchObject([
    {
      actor_id: app.admin.id,
      details: {
        payment_id: paid,
        amount: '75.00',
        before: { status: 'pending' },
        after: { status: 'received' },
      },
    },
  ])
  expect(await readAudit(app, 'payment_rejected', client.id)).toMatchObject([
    { details: { payment_id: refused } },
  ])
  expect(await readAudit(app, 'balance_adjusted', client.id)).toMatchObject([
    { details: { amount: '-5.00' } },
  ])
})

describe('a pay-out', () => {
  let client: Person
  let second: Person
  beforeEach(async () => {
    ;[client, second] = [await app.newClient(), await app.newClient()]
    const { db } = app.context
    await db.updateTable('profiles').set({ role: 'admin' }).where('user_id', '=', second.id).execute()
  })
  const adjust = (amount: string, { by = app.admin }: { by?: Person } = {}) =>
    app.call('POST', `/api/v1/admin/clients/${client.id}/adjust`, {
      token: by.token,
      body: { amount, note: 'Paid by cheque 7' },
    })
  const confirm = (id: string) =>
    app.call('POST', `/api/v1/admin/pending-adjustments/${id}/confirm`, {
      token: second.token,
      body: { note: 'Cheque seen' },
    })
  const read = async (path: string, who = client) => (await app.call('GET', path, { token: who.token })).json
  const payOut = (amount: string, by = app.admin, more = {}) =>
    app.call('POST', `/api/v1/admin/clients/${client.id}/pay-out`, {
      token: by.token,
      body: { amount, method: 'check', reference: 'No. 7', note: 'Client leaves', ...more },
    })

  test('leaves the balance as an entry of its own kind, and counts for the limit with adjustments', async () => {
    await adjust('300')
    const paid = await payOut('100')
    expect([paid.status, paid.json]).toMatchObject([
      201,
      {
        entry_type: 'refund_out',
        amount: '-100.00',
        balance_after: '200.00',
        note: 'By check, reference No. 7: Client leaves',
      },
    ])
    expect((await payOut('100.01')).status).toBe(202)
    expect((await payOut('200.01', second)).status).toBe(409)
    expect((await payOut('200', second)).status).toBe(201)
    const month = await read('/api/v1/statement')
    expect(month).toMatchObject({
      closing: '0.00',
      sums: [{ entry_type: 'manual_credit' }, { entry_type: 'refund_out', count: 2, amount: '-300.00' }],
    })
    const filter = `client=${client.id}&type=refund_out`
    expect((await read(`/api/v1/admin/money/ledger?${filter}`, app.admin)).data).toHaveLength(2)
    const { text } = await app.call('GET', `/api/v1/admin/money/ledger.csv?${filter}`, {
      token: app.admin.token,
    })
    expect(text).toContain(',refund_out,-100.00,200.00,,"By check, reference No. 7: Client leaves",')
    const day = new Date().toLocaleDateString('en-CA', { timeZone: 'America/New_York' })
    const revenue = await read(`/api/v1/admin/money/revenue?by=client&from=${day}&to=${day}`, app.admin)
    expect(revenue.data).toEqual([])
    expect(await readAudit(app, 'balance_paid_out', client.id)).toHaveLength(2)
  })

  test('above the limit waits for another administrator, and is refused beyond the balance', async () => {
    const credit = (await adjust('900')).json.id
    await confirm(credit)
    const asked = await payOut('900')
    expect([asked.status, asked.json]).toMatchObject([
      202,
      { kind: 'pay_out', amount: '-900.00', confirmable: 'no', status: 'pending' },
    ])
    await payOut('400')
    expect((await confirm(asked.json.id)).status).toBe(409)
    await adjust('400', { by: second })
    expect((await confirm(asked.json.id)).json).toMatchObject({ status: 'confirmed' })
    expect((await read('/api/v1/ledger')).data[0]).toMatchObject({
      entry_type: 'refund_out',
      amount: '-900.00',
      balance_after: '0.00',
    })
  })

  test('names an amount, a method, a reference and a reason', async () => {
    for (const [path, value] of [
      ['amount', '-1'],
      ['amount', '0'],
      ['method', 'cash'],
      ['reference', ' '],
      ['reference', 'x'.repeat(101)],
      ['note', ''],
      ['note', 'x'.repeat(351)],
    ] as const)
      expect((await payOut('1', app.admin, { [path]: value })).json.errors).toMatchObject([{ path }])
    expect((await payOut('1', client)).status).toBe(403)
  })
})
