import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { waitUntil } from '#tests/support/condition.ts'
import type { Planned } from './log-rows.ts'
import { startWithLogs } from './start-with-logs.ts'

const HOUR_MS = 3_600_000
const { app, client, rows } = await startWithLogs()

const get = (path: string) => app.call('GET', path, { token: client.token })
const post = (path: string, body?: unknown) => app.call('POST', path, { token: client.token, body })
const delivery = (id: string) =>
  app.context.db.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const lease = (planned: Planned) =>
  app.context.db
    .updateTable('webhook_deliveries')
    .set({ lease_token: planned.eventId, lease_until: new Date(Date.now() + 60_000) })
    .where('id', '=', planned.deliveryId)
    .execute()
const logs = async (configId: string, query = '') =>
  (await get(`/api/v1/webhook-configs/${configId}/delivery-logs${query}`)).json.data

describe('cancelling', () => {
  test('cancels a waiting delivery, shows who did it, and adds it to the timeline', async () => {
    const planned = await rows.planDelivery()
    await rows.logAttempt(planned, 1, { delivered: false, retryInMs: HOUR_MS })
    const [row] = await logs(planned.configId)
    const answer = await post(`/api/v1/delivery-logs/${row?.id}/cancel`)

    expect(answer.json).toEqual({ delivery_id: planned.deliveryId, is_sending: false })
    expect(await delivery(planned.deliveryId)).toMatchObject({ state: 'cancelled', cancelled_by: client.id })
    const after = await logs(planned.configId)
    expect(after).toMatchObject([
      { id: planned.deliveryId, delivery_status: 'cancelled', attempt_number: 2, cancelled_by: 'client' },
      { delivery_status: 'failed', attempt_number: 1, next_attempt_at: null, is_latest: false },
    ])
    expect(await logs(planned.configId, '?status=cancelled')).toHaveLength(1)
    const { timeline } = (await get(`/api/v1/leads/${planned.leadId}`)).json
    expect(timeline.find(({ type }) => type === 'delivery.cancelled')).toMatchObject({
      data: { delivery_id: planned.deliveryId, cancelled_by: client.id },
    })
    expect((await get(`/api/v1/delivery-logs/${planned.deliveryId}`)).json).toMatchObject({
      delivery_status: 'cancelled',
      request: null,
    })
  })

  test('says if a request is in flight, and refuses finished deliveries', async () => {
    const sending = await rows.planDelivery()
    await lease(sending)
    const answer = await post(`/api/v1/delivery-logs/${sending.deliveryId}/cancel`)
    const finished = await rows.planDelivery()
    const id = await rows.logAttempt(finished, 1, { delivered: true })

    expect(answer.json).toEqual({ delivery_id: sending.deliveryId, is_sending: true })
    expect((await post(`/api/v1/delivery-logs/${id}/cancel`)).json.code).toBe('conflict')
  })

  test('of all waiting deliveries of a configuration counts first, and skips finished ones', async () => {
    const waiting = await rows.planDelivery()
    const retried = await rows.planDelivery(client, waiting.configId)
    await rows.logAttempt(retried, 1, { delivered: false, retryInMs: HOUR_MS })
    const delivered = await rows.planDelivery(client, waiting.configId)
    await rows.logAttempt(delivered, 1, { delivered: true })
    const path = `/api/v1/webhook-configs/${waiting.configId}/cancel-waiting`

    expect((await post(path, { dry_run: true })).json).toEqual({ count: 2 })
    expect((await get(`/api/v1/webhook-configs/${waiting.configId}/delivery-counts`)).json).toEqual({
      logs: 3,
      logs_limit: 10_000,
      waiting: 2,
      has_failed: true,
    })
    expect((await post(path, {})).json).toEqual({ count: 2 })
    expect((await post(path, {})).json).toEqual({ count: 0 })
    expect((await delivery(delivered.deliveryId)).state).toBe('delivered')
  })

  test('succeeds even after PostgreSQL ends it as the victim of a deadlock', async () => {
    const first = await rows.planDelivery()
    const second = await rows.planDelivery(client, first.configId)
    const [low = '', high = ''] = [first.deliveryId, second.deliveryId].toSorted()
    const lock = (trx: typeof app.context.db, id: string) =>
      sql`select from webhook_deliveries where id = ${id} for update`.execute(trx)
    const answer = await app.context.db.transaction().execute(async (trx) => {
      // Makes PostgreSQL choose the other transaction as the deadlock's victim.
      await sql`set local deadlock_timeout = '1min'`.execute(trx)
      await lock(trx, high)
      const cancelling = post(`/api/v1/webhook-configs/${first.configId}/cancel-waiting`, {})
      await waitUntil(
        async () =>
          (
            await sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%cancelled_by%'
            and datname = current_database()`.execute(app.context.db)
          ).rows.length > 0,
      )
      await lock(trx, low)
      return { cancelling }
    })
    const { status, json } = await answer.cancelling

    expect([status, json]).toEqual([200, { count: 2 }])
  })

  test('of a resend does not change the status of a lead that was delivered', async () => {
    const owner = await app.newClient()
    const own = (method: string, path: string) => app.call(method, path, { token: owner.token })
    const planned = await rows.planDelivery(owner)
    const id = await rows.logAttempt(planned, 1, { delivered: true }, owner)
    const { delivery_id } = (await own('POST', `/api/v1/delivery-logs/${id}/resend`)).json
    await own('POST', `/api/v1/delivery-logs/${delivery_id}/cancel`)

    expect((await own('GET', `/api/v1/leads/${planned.leadId}`)).json.delivery_status).toBe('delivered')
  })
})

describe('the filters of the log', () => {
  test('find by the lead, by an id and by the error, in every combination', async () => {
    const { configId, ...rest } = await rows.planDelivery(client, undefined, {
      name: 'Wilma Quartz',
      email: 'wilma@example.com',
      phone: '+12025550177',
    })
    const wilma = { configId, ...rest }
    await rows.logAttempt(wilma, 1, { delivered: false, error: 'The certificate has expired.' })
    const otto = await rows.planDelivery(client, configId, { name: 'Otto Basalt', email: 'otto@example.com' })
    await rows.logAttempt(otto, 1, { delivered: true })
    const waiting = await rows.planDelivery(client, configId, { name: 'Wilma Slate' })
    const found = async (query: string) =>
      (await logs(configId, query)).map((row) => row.delivery_id).toSorted()
    const ids = (...planned: Planned[]) => planned.map(({ deliveryId }) => deliveryId).toSorted()

    expect(await found('?search=wilma')).toEqual(ids(wilma, waiting))
    expect(await found('?search=0177')).toEqual(ids(wilma))
    expect(await found('?search=(202)%20555-0177')).toEqual(ids(wilma))
    expect(await found('?search=CERTIFICATE')).toEqual(ids(wilma))
    expect(await found('?search=100%25')).toEqual([])
    expect(await found(`?search=${otto.deliveryId}`)).toEqual(ids(otto))
    expect(await found(`?search=${waiting.eventId}`)).toEqual(ids(waiting))
    expect(await found(`?search=${wilma.leadId}`)).toEqual(ids(wilma))
    expect(await found('?search=wilma&status=pending')).toEqual(ids(waiting))
    expect(await found('?event_type=lead.created')).toEqual([])
    const soon = new Date(Date.now() + HOUR_MS).toISOString()
    expect(await found(`?event_type=lead.assigned&to=${soon}`)).toEqual(ids(wilma, otto, waiting))
    expect(await found(`?from=${soon}`)).toEqual([])
  })

  test('refuse a search of one character', async () => {
    const { configId } = await rows.planDelivery()
    const { status, json } = await get(`/api/v1/webhook-configs/${configId}/delivery-logs?search=a`)

    expect({ status, path: json.errors[0]?.path }).toEqual({ status: 422, path: 'search' })
  })

  test('never find another client’s leads', async () => {
    const other = await app.newClient()
    const theirs = await rows.planDelivery(other, undefined, { name: 'Hidden Marble' })
    const mine = await rows.planDelivery()

    expect(await logs(mine.configId, '?search=marble')).toEqual([])
    expect(await logs(mine.configId, `?search=${theirs.deliveryId}`)).toEqual([])
  })
})
