import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ACCOUNTS, QUEUES } from '#server/admission/limits.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { apiRoutes } from '#server/api-routes.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
let many: Person
let other: Person
let silent: Receiver
const silence = Promise.withResolvers<void>()
beforeAll(async () => {
  silent = await startReceiver({ status: 200, after: silence.promise })
  app = await startApp()
  many = await app.newApprovedClient()
  other = await app.newApprovedClient()
})
afterAll(async () => {
  await silent.close()
  await app.close()
})

const ask = (who: Person) => app.call('GET', '/api/v1/webhook-configs', { token: who.token })

test('an account above the length of its queue is refused, and no other account', async () => {
  const size = ACCOUNTS.together + QUEUES.longest
  const answers = await app.context.db.transaction().execute(async (trx) => {
    // None of the account's requests ends meanwhile.
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
    const beside = await app.call('GET', '/api/v1/me', { token: other.token })
    expect(beside.status).toBe(200)
    return asked
  })
  const refused = (await Promise.all(answers)).filter(({ status }) => status !== 200)

  expect(refused).toHaveLength(10)
  for (const { status, json, headers } of refused) {
    expect([status, json.code, headers.get('retry-after')]).toEqual([429, 'rate_limited', '1'])
  }
})

/** Holds all places of an account and counts which accounts' requests enter its queue. */
async function whileNobodyIsServed(account: string, work: (entered: () => number) => Promise<void>) {
  const { admission } = app.context
  const usual = admission.inAccountQueue
  const held = Promise.withResolvers<void>()
  const places = Array.from({ length: ACCOUNTS.together }, () =>
    usual({ name: account, isStranger: false }, () => held.promise),
  )
  let entered = 0
  const counting: typeof usual = (whose, ...request) => {
    if (whose.name === account) entered += 1
    return usual(whose, ...request)
  }
  Object.assign(admission, { inAccountQueue: counting })
  try {
    await work(() => entered)
  } finally {
    Object.assign(admission, { inAccountQueue: usual })
    held.resolve()
    await Promise.all(places)
  }
}

test('every call of a signed-in user waits in the queue before any work is done for it', async () => {
  const own = new Set(['user', 'admin', 'user by any proof', 'source or user', 'anybody'])
  const routes = apiRoutes.filter(({ who, isDownload }) => own.has(who) && isDownload !== true)
  expect(routes.length).toBeGreaterThan(80)
  for (let at = 0; at < routes.length; at += QUEUES.longest)
    await expectToWait(routes.slice(at, at + QUEUES.longest))
})

/** @param routes no more than the queue holds */
async function expectToWait(routes: typeof apiRoutes): Promise<void> {
  const { token, id } = app.admin
  const answered: string[] = []
  const asked: Promise<unknown>[] = []
  await whileNobodyIsServed(id, async (entered) => {
    for (const { method, path, takes } of routes) {
      const type = takes === 'part' ? 'application/octet-stream' : 'application/json'
      const call = fetch(app.url + path.replaceAll(/:\w+/g, randomUUID()), {
        method: method.toUpperCase(),
        headers: { authorization: `Bearer ${token}`, ...(takes !== undefined && { 'content-type': type }) },
        ...(takes !== undefined && { body: '{"no such":"field"}' }),
      })
      asked.push(call.then((response) => response.body?.cancel()))
      call.then(
        ({ status }) => answered.push(`${method} ${path} ${status}`),
        () => undefined,
      )
    }
    await waitUntil(() => entered() + answered.length === routes.length, { what: 'Every call in the queue' })
    expect(answered).toEqual([])
  })
  await Promise.all(asked)
}

test('a form of the public site waits in the queue of its network, even with faults', async () => {
  const answered: number[] = []
  const send = () =>
    fetch(`${app.url}/contact`, {
      method: 'POST',
      body: new URLSearchParams({ message: 'data:'.repeat(900) }),
    })
  await whileNobodyIsServed('127.0.0.1', async (entered) => {
    void send().then(({ status }) => answered.push(status))
    await waitUntil(() => entered() + answered.length === 1, { what: 'The form in the queue' })
    expect(answered).toEqual([])
  })
  await waitUntil(() => answered.length === 1, { what: 'The answer' })
  expect(answered).toEqual([422])
})

test('testing a silent endpoint takes no place from its owner’s screens', async () => {
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
