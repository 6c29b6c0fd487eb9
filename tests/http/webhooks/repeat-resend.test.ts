import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Planned } from './log-rows.ts'
import { startWithLogs } from './start-with-logs.ts'

const HOUR_MS = 3_600_000
const { app, client, rows } = await startWithLogs()

/** Posts with an idempotency key, as a client that got no answer the first time. */
const post = (path: string, key: string, body?: unknown) =>
  app.call('POST', path, { token: client.token, body, headers: { 'Idempotency-Key': key } })

const deliveriesOf = (planned: Planned) =>
  app.context.db
    .selectFrom('webhook_deliveries')
    .select(['id', 'state'])
    .where('event_id', '=', planned.eventId)
    .where('webhook_config_id', '=', planned.configId)
    .orderBy('created_at')
    .execute()

describe('a resend that is repeated under its Idempotency-Key', () => {
  const resend = (logId: string, key = logId) => post(`/api/v1/delivery-logs/${logId}/resend`, key)

  test('sends nothing more if the immediate retry has arrived since', async () => {
    const planned = await rows.planDelivery()
    const id = await rows.logAttempt(planned, 1, { delivered: false, retryInMs: HOUR_MS })
    const first = await resend(id)
    await rows.logAttempt(planned, 2, { delivered: true })
    const second = await resend(id)

    expect([first.status, first.json]).toEqual([202, { delivery_id: planned.deliveryId, sent: 'now' }])
    expect([second.status, second.json]).toEqual([202, first.json])
    expect(await deliveriesOf(planned)).toEqual([{ id: planned.deliveryId, state: 'delivered' }])
  })

  test('sends nothing more if the held delivery has arrived since', async () => {
    const planned = await rows.planDelivery()
    const id = await rows.logAttempt(planned, 1, { delivered: false, retryInMs: HOUR_MS })
    await app.context.db
      .updateTable('webhook_deliveries')
      .set({ state: 'held' })
      .where('id', '=', planned.deliveryId)
      .execute()
    const first = await resend(id)
    await rows.logAttempt(planned, 2, { delivered: true })

    expect((await resend(id)).json).toEqual(first.json)
    expect(await deliveriesOf(planned)).toHaveLength(1)
  })

  test('returns the same answer while the webhook is off, and if its resend has failed', async () => {
    const planned = await rows.planDelivery()
    const id = await rows.logAttempt(planned, 1, { delivered: false })
    const first = await resend(id)
    await rows.logAttempt({ ...planned, deliveryId: first.json.delivery_id }, 1, { delivered: false })
    await app.call('PATCH', `/api/v1/webhook-configs/${planned.configId}`, {
      token: client.token,
      body: { is_active: false },
    })

    expect((await resend(id)).json).toEqual({ delivery_id: first.json.delivery_id, sent: 'again' })
    expect(await deliveriesOf(planned)).toHaveLength(2)
  })

  test('runs if the first try was refused', async () => {
    const planned = await rows.planDelivery()
    const id = await rows.logAttempt(planned, 1, { delivered: true })
    const other = await rows.logAttempt(planned, 2, { delivered: true })
    expect((await resend(other, 'of the other')).status).toBe(202)
    expect((await resend(id)).status).toBe(409)
    await app.context.db
      .updateTable('webhook_deliveries')
      .set({ state: 'delivered', finished_at: new Date() })
      .where('resend_of', '=', planned.deliveryId)
      .execute()

    expect((await resend(id)).json.sent).toBe('again')
    expect(await deliveriesOf(planned)).toHaveLength(3)
  })
})

describe('resending everything that failed, repeated under its Idempotency-Key', () => {
  test('returns the first replay and starts no other, even if its resends have failed', async () => {
    const planned = await rows.planDelivery()
    await rows.logAttempt(planned, 1, { delivered: false })
    const since = new Date(Date.now() - 60_000).toISOString()
    const resendFailed = (key: string, from = since) =>
      post(`/api/v1/webhook-configs/${planned.configId}/resend-failed`, key, { since: from })
    const first = await resendFailed('replay')
    const [, resent] = await deliveriesOf(planned)
    await rows.logAttempt({ ...planned, deliveryId: resent?.id ?? '' }, 1, { delivered: false })

    expect(first.json).toMatchObject({ count: 1, resent: 1, hurried: 0 })
    expect((await resendFailed('replay')).json).toEqual(first.json)
    expect(await deliveriesOf(planned)).toHaveLength(2)
    expect((await resendFailed('replay', new Date().toISOString())).json.code).toBe('idempotency_key_reused')
    expect((await resendFailed('another')).json).toMatchObject({ count: 1 })
  })

  test('continues an interrupted replay', async () => {
    const planned = await rows.planDelivery()
    await rows.logAttempt(planned, 1, { delivered: false })
    const since = new Date(Date.now() - 60_000).toISOString()
    const resendFailed = () =>
      post(`/api/v1/webhook-configs/${planned.configId}/resend-failed`, 'broken off', { since })
    const { db } = app.context
    await sql`
      create function refuse_resend() returns trigger language plpgsql as
        $$ begin raise exception 'away' using errcode = '57P01'; end $$`.execute(db)
    await sql`
      create trigger refuse_resend before insert on webhook_deliveries for each row
      when (new.replay_id is not null) execute function refuse_resend()`.execute(db)
    const first = await resendFailed()
    await sql`drop function refuse_resend() cascade`.execute(db)
    const again = await resendFailed()

    expect(first.status).toBe(503)
    expect(again.json).toMatchObject({ count: 1, resent: 1 })
    expect((await resendFailed()).json).toEqual(again.json)
    expect(await deliveriesOf(planned)).toHaveLength(2)
  })
})
