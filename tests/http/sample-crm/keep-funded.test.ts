import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { keepFunded } from '#scripts/demo-market/keep-funded.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ AUTH_ADMIN_MFA: '0' })
})
afterAll(() => app.close())

const account = ({ email }: Person) => ({ email, password: PASSWORD })

test('a demo client with little money is topped up, once, until it has spent it', async () => {
  const client = await app.newClient()
  const readBalance = async () =>
    (await app.call('GET', '/api/v1/balance', { token: client.token })).json as unknown as { balance: string }
  const { look, close } = keepFunded({
    server: app.url,
    admin: account(app.admin),
    clients: [account(client)],
  })
  onTestFinished(close)
  await Promise.all([look(), look()])
  await look()
  expect(await readBalance()).toMatchObject({ balance: '1000.00' })

  await app.context.db
    .insertInto('balance_ledger')
    .values({
      client_user_id: client.id,
      entry_type: 'lead_purchase',
      amount: '-751.00',
      reference_id: randomUUID(),
    })
    .execute()
  // A session that has ended meanwhile is replaced.
  await app.context.db.deleteFrom('auth.sessions').where('user_id', '=', client.id).execute()
  await look()
  await look()
  const { json } = await app.call('GET', '/api/v1/payments', { token: await signIn(client) })
  expect(json.data).toMatchObject([
    { amount: '1000.00', status: 'received' },
    { amount: '1000.00', status: 'received' },
  ])
})

async function signIn(person: Person): Promise<string> {
  const { json } = await app.call('POST', '/auth/v1/token?grant_type=password', { body: account(person) })
  return json.access_token
}
