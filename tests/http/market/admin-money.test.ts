import { afterAll, beforeAll, expect, test } from 'vitest'
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
