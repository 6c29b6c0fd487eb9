import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ACCOUNTS } from '#core/fairness/limits.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
let many: Person
let other: Person
let silent: Receiver
const silence = Promise.withResolvers<void>()
beforeAll(async () => {
  silent = await startReceiver({ status: 200, after: silence.promise })
  app = await startApp()
  many = await app.newClient()
  other = await app.newClient()
})
afterAll(async () => {
  await silent.close()
  await app.close()
})

const ask = (who: Person) => app.call('GET', '/api/v1/webhook-configs', { token: who.token })

test('who asks for more than his line holds is refused, and nobody else is', async () => {
  const size = ACCOUNTS.together + ACCOUNTS.longestLine
  const answers = await app.context.db.transaction().execute(async (trx) => {
    // None of his requests ends meanwhile.
    await sql`lock table client_webhook_configs`.execute(trx)
    const asked = Array.from({ length: size + 10 }, () => ask(many))
    const { promise: tenRefused, resolve } = Promise.withResolvers<void>()
    let refused = 0
    for (const one of asked)
      void one.then(({ status }) => {
        if (status === 429) refused += 1
        if (refused === 10) resolve()
      })
    await tenRefused
    const beside = await app.call('GET', '/api/v1/leads', { token: other.token })
    expect(beside.status).toBe(200)
    return asked
  })
  const refused = (await Promise.all(answers)).filter(({ status }) => status !== 200)

  expect(refused).toHaveLength(10)
  for (const { status, json, headers } of refused) {
    expect([status, json.code, headers.get('retry-after')]).toEqual([429, 'rate_limited', '1'])
  }
})

test('an endpoint that is tested and does not answer holds no place of its owner’s screens', async () => {
  const body = { endpoint_url: `${silent.url}/hook` }
  const tested = Array.from({ length: ACCOUNTS.together + 1 }, () =>
    app.call('POST', '/functions/v1/test-webhook-endpoint', { token: other.token, body }),
  )
  await silent.waitForCount(tested.length)
  const { status } = await ask(other)
  silence.resolve()

  expect(status).toBe(200)
  for (const { json } of await Promise.all(tested)) expect(json).toMatchObject({ success: true })
})
