import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startServer } from '#scripts/lab/start-product.ts'
import { STREAMS_PER_SENDER } from '#server/changes/change-streams.ts'
import { signAccessToken } from '#server/identity/access-token.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { createTestEnvironment } from '#tests/support/given/environment.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { listenToChanges, type HeardChanges } from '../support/listen-to-changes.ts'
import { newLead, startApp, type Person, type TestApp } from '../support/start-app.ts'
import { createLogRows } from '../webhooks/log-rows.ts'

let app: TestApp
const open: HeardChanges[] = []
beforeAll(async () => {
  app = await startApp()
})
afterEach(() => {
  for (const stream of open.splice(0)) stream.hangUp()
})
afterAll(() => app.close())

async function listen(person: Pick<Person, 'token'>, mark?: string): Promise<HeardChanges> {
  const stream = await listenToChanges(app.url, person.token, mark)
  open.push(stream)
  return stream
}

/** Returns the milliseconds until the stream reports the change that `act` makes. */
async function timeChange(stream: HeardChanges, act: () => Promise<unknown>): Promise<number> {
  const before = stream.count()
  await act()
  const done = performance.now()
  await waitUntil(() => stream.count() > before, { what: 'The change' })
  return performance.now() - done
}

describe('a stream of changes', () => {
  test('reports a lead, its delivery, an attempt, a resend and a webhook within a second', async () => {
    const client = await app.newApprovedClient()
    const rows = createLogRows(app, client)
    const stream = await listen(client)
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    expect(stream.headers.get('cache-control')).toBe('no-store, no-transform')
    expect(stream.headers.get('content-encoding')).toBeNull()
    expect(stream.count()).toBe(0)

    const source = await app.newSource({ owner: client })
    const took = [
      await timeChange(stream, () =>
        app.call('POST', '/api/v1/leads', { token: source.key, body: newLead() }),
      ),
    ]
    const planned = await rows.planDelivery()
    took.push(
      await timeChange(stream, () => rows.logAttempt(planned, 1, { delivered: false, retryInMs: 60_000 })),
      await timeChange(stream, () => rows.logAttempt(planned, 2, { delivered: false, isLast: true })),
      await timeChange(stream, () =>
        app.call('POST', `/api/v1/webhook-configs/${planned.configId}/resend-failed`, {
          token: client.token,
          body: { since: new Date(Date.now() - 3_600_000).toISOString() },
        }),
      ),
      await timeChange(stream, () =>
        app.call('PATCH', `/api/v1/webhook-configs/${planned.configId}`, {
          token: client.token,
          body: { is_active: false },
        }),
      ),
    )
    expect(Math.max(...took)).toBeLessThan(1000)
  })

  test('reports a lease and a cancellation, which have no log row', async () => {
    const client = await app.newApprovedClient()
    const planned = await createLogRows(app, client).planDelivery()
    const stream = await listen(client)
    const change = (set: { lease_until: Date } | { state: 'cancelled'; next_attempt_at: null }) =>
      app.context.db.updateTable('webhook_deliveries').set(set).where('id', '=', planned.deliveryId).execute()
    expect(await timeChange(stream, () => change({ lease_until: new Date() }))).toBeLessThan(1000)
    expect(
      await timeChange(stream, () => change({ state: 'cancelled', next_attempt_at: null })),
    ).toBeLessThan(1000)
  })

  test('reports an entry of the ledger, which has no lead', async () => {
    const client = await app.newApprovedClient()
    const stream = await listen(client)
    const credit = () =>
      app.context.db
        .insertInto('balance_ledger')
        .values({ client_user_id: client.id, entry_type: 'top_up', amount: '12.50' })
        .execute()
    expect(await timeChange(stream, credit)).toBeLessThan(1000)
    expect(await timeChange(stream, credit)).toBeLessThan(1000)
    // The entry is a moment old, so a new listener's balance may be stale already.
    expect((await listen(client)).count()).toBe(1)
  })

  test('never reports other clients’ changes', async () => {
    const client = await app.newApprovedClient()
    const other = await app.newApprovedClient()
    const [mine, theirs] = [await listen(client), await listen(other)]
    const rows = createLogRows(app, other)
    // All listeners are told in one round, so a wrong message about the first change would arrive with the
    // second.
    await timeChange(theirs, () => rows.planDelivery())
    await timeChange(theirs, () => rows.planDelivery())
    expect(mine.count()).toBe(0)
    expect(mine.mark()).not.toBe(theirs.mark())
    await timeChange(mine, () => createLogRows(app, client).planDelivery())
  })

  test('tells a returning listener whether anything has changed', async () => {
    const client = await app.newApprovedClient()
    await createLogRows(app, client).planDelivery()
    const first = await listen(client)
    // A change is pending, so an earlier answer may already be stale.
    expect(first.count()).toBe(1)
    first.hangUp()
    const same = await listen(client, first.mark())
    expect([same.count(), same.mark()]).toEqual([0, first.mark()])
    same.hangUp()
    await createLogRows(app, client).planDelivery()
    const behind = await listen(client, first.mark())
    expect(behind.count()).toBe(1)
    expect(behind.mark()).not.toBe(first.mark())
  })

  test('ends with its session, while others continue', async () => {
    const client = await app.newApprovedClient()
    const { json } = await app.call('POST', '/auth/v1/token?grant_type=password', {
      body: { email: client.email, password: PASSWORD },
    })
    const [first, second] = [await listen(client), await listen({ token: json.access_token })]
    const left = await app.call('POST', '/auth/v1/logout?scope=local', { token: client.token })
    expect(left.status).toBe(204)
    await waitUntil(() => first.isOver(), { what: 'The end of the stream' })
    expect(second.isOver()).toBe(false)
    await timeChange(second, () => createLogRows(app, { ...client, token: json.access_token }).planDelivery())
  })

  test('ends when its token expires', async () => {
    const client = await app.newApprovedClient()
    const { session_id: id } = decodeJwt<{ session_id: string }>(client.token)
    const user = {
      id: client.id,
      email: client.email,
      phone: null,
      role: 'authenticated',
      app_metadata: {},
      user_metadata: {},
      is_anonymous: false,
    }
    const nearItsEnd = Math.floor(Date.now() / 1000) - app.context.config.auth.tokenSeconds + 2
    const subject = { user, session: { id, aal: 'aal1', amr: [] } }
    const stream = await listen({
      token: (await signAccessToken(app.context, subject, nearItsEnd)).access_token,
    })
    expect(stream.status).toBe(200)
    await waitUntil(() => stream.isOver(), { what: 'The end of the stream' })
  })

  test(`is refused for a sender with ${STREAMS_PER_SENDER} streams, until one of them closes`, async () => {
    const client = await app.newApprovedClient()
    for (let count = 0; count < STREAMS_PER_SENDER; count += 1) await listen(client)
    const refused = await app.call('GET', '/api/v1/changes', { token: client.token })
    expect([refused.status, refused.json.code]).toEqual([429, 'rate_limited'])
    expect(refused.headers.get('retry-after')).toBe('10')
    expect((await listen(await app.newApprovedClient())).status).toBe(200)
    open[0]?.hangUp()
    await waitUntil(async () => (await listen(client)).status === 200, { what: 'A place' })
  })

  test('is not begun by HEAD, which is answered at once', async () => {
    const client = await app.newApprovedClient()
    for (let count = 0; count <= STREAMS_PER_SENDER; count += 1) {
      const { status } = await app.call('HEAD', '/api/v1/changes', { token: client.token })
      expect(status).toBe(200)
    }
  })

  test('reports that it is complete, while the database can be asked for changes', async () => {
    const stream = await listen(await app.newApprovedClient())
    await waitUntil(() => stream.text().includes(': still here\n\n'), { what: 'A sign of life' })
  })
})

test('a server with a listener stops at once, and ends the stream', async () => {
  const environment = await createTestEnvironment()
  const server = await startServer(environment.env)
  const signUp = await fetch(`${server.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'buyer@example.com', password: PASSWORD }),
  })
  const { access_token: token } = (await signUp.json()) as { access_token: string }
  const stream = await listenToChanges(server.url, token)
  const began = performance.now()
  expect(await server.stop()).toBe(0)
  // Requests that do not end are given ten seconds.
  expect(performance.now() - began).toBeLessThan(9000)
  expect(stream.isOver()).toBe(true)
  expect(server.output()).not.toContain('requests did not finish in time')
  // Node would report the listeners that wait for a stream's end as a leak.
  expect(server.output()).not.toContain('MaxListenersExceededWarning')
  await environment.close()
})
