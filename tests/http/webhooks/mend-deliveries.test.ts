import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Planned } from './log-rows.ts'
import { startWithLogs } from './start-with-logs.ts'

const HOUR_MS = 3_600_000
const { app, client, rows } = await startWithLogs()

const get = (path: string) => app.call('GET', path, { token: client.token })
const post = (path: string, body?: unknown) => app.call('POST', path, { token: client.token, body })
const resendFailed = (configId: string, body: Record<string, unknown>) =>
  post(`/api/v1/webhook-configs/${configId}/resend-failed`, {
    since: new Date(Date.now() - 60_000).toISOString(),
    ...body,
  })
const delivery = (id: string) =>
  app.context.db.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const lease = (planned: Planned) =>
  app.context.db
    .updateTable('webhook_deliveries')
    .set({ lease_token: planned.eventId, lease_until: new Date(Date.now() + 60_000) })
    .where('id', '=', planned.deliveryId)
    .execute()
const hold = (planned: Planned) =>
  app.context.db
    .updateTable('webhook_deliveries')
    .set({ state: 'held' })
    .where('id', '=', planned.deliveryId)
    .execute()

describe('resending an attempt whose retry is planned', () => {
  test('sends that retry now, as the same delivery', async () => {
    const planned = await rows.planDelivery()
    const id = await rows.logAttempt(planned, 1, { delivered: false, retryInMs: HOUR_MS })
    const { status, json } = await post(`/api/v1/delivery-logs/${id}/resend`)

    expect(status).toBe(202)
    expect(json).toEqual({ delivery_id: planned.deliveryId, sent: 'now' })
    const { state, attempt, next_attempt_at } = await delivery(planned.deliveryId)
    expect({ state, attempt }).toEqual({ state: 'pending', attempt: 1 })
    expect(next_attempt_at?.getTime()).toBeLessThanOrEqual(Date.now())
    const all = await app.context.db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('lead_id', '=', planned.leadId)
      .execute()
    expect(all).toHaveLength(1)
  })

  test('is refused with the reason once the retry is due or in flight', async () => {
    const planned = await rows.planDelivery()
    const id = await rows.logAttempt(planned, 1, { delivered: false, retryInMs: HOUR_MS })
    await post(`/api/v1/delivery-logs/${id}/resend`)
    const due = await post(`/api/v1/delivery-logs/${id}/resend`)
    await lease(planned)
    const sending = await post(`/api/v1/delivery-logs/${id}/resend`)

    expect([due.status, due.json.detail]).toEqual([409, 'The next attempt of this delivery is due already.'])
    expect([sending.status, sending.json.detail]).toEqual([
      409,
      'This delivery is being sent right now. Wait for its result.',
    ])
  })
})

describe('resending a held delivery', () => {
  const states = async (...planned: Planned[]) =>
    await Promise.all(planned.map(async ({ deliveryId }) => (await delivery(deliveryId)).state))

  test('sends only that delivery if the endpoint answers', async () => {
    const one = await rows.planDelivery()
    const second = await rows.planDelivery(client, one.configId)
    const id = await rows.logAttempt(one, 1, { delivered: false, retryInMs: HOUR_MS })
    await hold(one)
    await hold(second)
    const { status, json } = await post(`/api/v1/delivery-logs/${id}/resend`)

    expect([status, json]).toEqual([202, { delivery_id: one.deliveryId, sent: 'now' }])
    expect(await states(one, second)).toEqual(['pending', 'held'])
  })

  test('probes the endpoint if it does not answer, and sends no other delivery', async () => {
    const one = await rows.planDelivery()
    const id = await rows.logAttempt(one, 1, { delivered: false, retryInMs: HOUR_MS })
    await hold(one)
    await sql`
      insert into webhook_endpoint_health (webhook_config_id, breaker, probe_at, probes)
      values (${one.configId}, 'open', now() + interval '1 hour', 3)
      on conflict (webhook_config_id) do update set breaker = 'open', probe_at = excluded.probe_at, probes = 3
    `.execute(app.context.db)
    const { status, json } = await post(`/api/v1/delivery-logs/${id}/resend`)

    expect([status, json]).toEqual([202, { delivery_id: one.deliveryId, sent: 'probe' }])
    expect(await states(one)).toEqual(['held'])
    const { rows: found } = await sql<{ is_due: boolean }>`
      select probe_at <= now() as is_due from webhook_endpoint_health where webhook_config_id = ${one.configId}
    `.execute(app.context.db)
    expect(found).toEqual([{ is_due: true }])
  })
})

describe('resending a finally failed delivery', () => {
  const resend = (logId: string) => post(`/api/v1/delivery-logs/${logId}/resend`)
  const asPlanned = (planned: Planned, deliveryId: string): Planned => ({ ...planned, deliveryId })

  test('is refused with the reason while a resend is in flight, and allowed after that has failed or was cancelled', async () => {
    const planned = await rows.planDelivery()
    const original = await rows.logAttempt(planned, 1, { delivered: false })
    const first = await resend(original)
    const second = await resend(original)

    expect([first.status, second.status, second.json.detail]).toEqual([
      202,
      409,
      'It is being sent again already.',
    ])
    expect((await get(`/api/v1/delivery-logs/${original}`)).json.is_sent_again).toBe(true)
    const attempt = await rows.logAttempt(asPlanned(planned, first.json.delivery_id), 1, { delivered: false })
    const third = await resend(attempt)
    expect(third.status).toBe(202)
    // The resend of the resend is in flight, which counts for the first one too.
    expect((await resend(original)).status).toBe(409)
    expect((await resendFailed(planned.configId, { dry_run: true })).json.count).toBe(0)
    await post(`/api/v1/delivery-logs/${third.json.delivery_id}/cancel`)
    expect((await get(`/api/v1/delivery-logs/${original}`)).json.is_sent_again).toBe(false)
    expect((await resend(original)).status).toBe(202)
  })

  test('twice at once creates one delivery, and repeated under its Idempotency-Key returns the same answer', async () => {
    const planned = await rows.planDelivery()
    const original = await rows.logAttempt(planned, 1, { delivered: false })
    const once = (key: string) =>
      app.call('POST', `/api/v1/delivery-logs/${original}/resend`, {
        token: client.token,
        headers: { 'Idempotency-Key': key },
      })
    const keys = ['a', 'b', 'c', 'd']
    const answers = await Promise.all(keys.map((key) => once(`${original}-${key}`)))

    expect(answers.map(({ status }) => `${status}`).toSorted()).toEqual(['202', '409', '409', '409'])
    const accepted = answers.findIndex(({ status }) => status === 202)
    const again = await once(`${original}-${keys[accepted]}`)
    expect([again.status, again.json]).toEqual([202, answers[accepted]?.json])
  })
})

describe('resending everything that failed', () => {
  test('counts and sends both final failures and deliveries that wait for a later retry', async () => {
    const failed = await rows.planDelivery()
    await rows.logAttempt(failed, 1, { delivered: false })
    const retried = await rows.planDelivery(client, failed.configId)
    await rows.logAttempt(retried, 1, { delivered: false, retryInMs: HOUR_MS })
    const sending = await rows.planDelivery(client, failed.configId)
    await rows.logAttempt(sending, 1, { delivered: false, retryInMs: HOUR_MS })
    await lease(sending)

    const expected = { count: 2, resent: 1, hurried: 1 }
    expect((await resendFailed(failed.configId, { dry_run: true })).json).toEqual({
      ...expected,
      replay_id: null,
    })
    const { json } = await resendFailed(failed.configId, {})
    expect(json).toMatchObject(expected)
    expect(await delivery(retried.deliveryId)).toMatchObject({ replay_id: json.replay_id, attempt: 1 })
  })

  test('leaves out a lead that was erased', async () => {
    const planned = await rows.planDelivery()
    await rows.logAttempt(planned, 1, { delivered: false })
    const count = async () => (await resendFailed(planned.configId, { dry_run: true })).json
    expect(await count()).toMatchObject({ count: 1 })
    await app.context.db
      .updateTable('leads')
      .set({ redacted_at: new Date(), name: null, email: null, phone: null })
      .where('id', '=', planned.leadId)
      .execute()

    expect(await count()).toMatchObject({ count: 0 })
  })

  test('shows its progress, and can be stopped before it has sent the rest', async () => {
    const { configId, ...first } = await rows.planDelivery()
    const planned = [{ configId, ...first }]
    for (let more = 0; more < 3; more += 1) planned.push(await rows.planDelivery(client, configId))
    for (const one of planned) await rows.logAttempt(one, 1, { delivered: false })
    const replayId = (await resendFailed(configId, {})).json.replay_id ?? ''
    const made = await app.context.db
      .selectFrom('webhook_deliveries')
      .select(['id', 'lead_id', 'event_id'])
      .where('replay_id', '=', replayId)
      .orderBy('id')
      .execute()
    const as = (index: number): Planned => ({
      configId,
      leadId: made[index]?.lead_id ?? '',
      eventId: made[index]?.event_id ?? '',
      deliveryId: made[index]?.id ?? '',
    })
    await rows.logAttempt(as(0), 1, { delivered: true })
    await rows.logAttempt(as(1), 1, { delivered: false })
    await rows.logAttempt(as(2), 1, { delivered: false, retryInMs: HOUR_MS })

    const progress = async () =>
      (await get(`/api/v1/webhook-configs/${configId}/replays?limit=1`)).json.data[0]
    expect(await progress()).toMatchObject({
      id: replayId,
      total: 4,
      waiting: 1,
      retrying: 1,
      held: 0,
      delivered: 1,
      failed: 1,
      cancelled: 0,
      cancelled_at: null,
    })
    await hold(as(3))
    expect(await progress()).toMatchObject({ waiting: 1, held: 1 })
    expect((await post(`/api/v1/webhook-replays/${replayId}/cancel`)).json).toEqual({ count: 2 })
    expect(await progress()).toMatchObject({ total: 4, waiting: 0, retrying: 0, cancelled: 2 })
    // The stopped deliveries were not resent, so they can be; so can the resend that failed.
    expect((await resendFailed(configId, { dry_run: true })).json).toMatchObject({ resent: 3, hurried: 0 })
  })
})

test('an attempt links to the others of its delivery, to its original and to its resend', async () => {
  const planned = await rows.planDelivery()
  const first = await rows.logAttempt(planned, 1, { delivered: false, isLast: false })
  const second = await rows.logAttempt(planned, 2, { delivered: false })
  const resend = (await post(`/api/v1/delivery-logs/${second}/resend`)).json.delivery_id

  const shown = (await get(`/api/v1/delivery-logs/${first}`)).json
  expect(shown.attempts.map(({ id }) => id)).toEqual([first, second])
  expect(shown.resent_from).toBeNull()
  expect(shown.resent_as).toMatchObject([{ id: resend, delivery_status: 'pending' }])
  expect((await get(`/api/v1/delivery-logs/${resend}`)).json.resent_from).toMatchObject({
    id: second,
    attempt_number: 2,
  })
})

test('a waiting delivery keeps its id after its attempt', async () => {
  const planned = await rows.planDelivery()
  const attempt = await rows.logAttempt(planned, 1, { delivered: true })

  expect((await get(`/api/v1/delivery-logs/${planned.deliveryId}`)).json.id).toBe(attempt)
})
