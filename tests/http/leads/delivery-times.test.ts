import { randomUUIDv7 } from 'node:crypto'
import { expect, test } from 'vitest'
import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import { uuidAt } from '#core/domain/uuid-at.ts'
import type { Person } from '../support/start-app.ts'
import { startWithLogs } from '../webhooks/start-with-logs.ts'

const { app, client, rows } = await startWithLogs()
const { db } = app.context

async function show(leadId: string, who: Person = client): Promise<LeadDetail> {
  const { text } = await app.call('GET', `/api/v1/leads/${leadId}`, { token: who.token })
  return JSON.parse(text) as LeadDetail
}

/** Copies the attempt, as if it had begun at each of these times. */
async function repeatAt(attemptId: string, moments: readonly Date[], more: object = {}): Promise<void> {
  const row = await db
    .selectFrom('webhook_delivery_logs')
    .selectAll()
    .where('id', '=', attemptId)
    .executeTakeFirstOrThrow()
  const repeats = moments.map((at) => ({
    ...row,
    id: uuidAt(at, randomUUIDv7()),
    created_at: at,
    ...more,
  }))
  await db.insertInto('webhook_delivery_logs').values(repeats).execute()
}

const after = (lead: LeadDetail, ms: number) => new Date(Date.parse(lead.created_at) + ms)

test('a lead that is sent repeatedly keeps the times of its first attempt and first arrival', async () => {
  const planned = await rows.planDelivery()
  const waiting = await show(planned.leadId)
  expect(waiting).toMatchObject({ first_sent_at: null, delivered_at: null })

  // The log records 12 ms for its attempts.
  const first = await rows.logAttempt(planned, 1, { delivered: true })
  const delivered = await show(planned.leadId)
  const begun = delivered.deliveries[0]?.created_at ?? ''
  const times = { first_sent_at: begun, delivered_at: new Date(Date.parse(begun) + 12).toISOString() }
  expect(delivered).toMatchObject(times)

  const dayLater = Array.from({ length: 60 }, (_, index) => after(waiting, 86_400_000 + index * 1000))
  await repeatAt(first, dayLater)

  const again = await show(planned.leadId)
  expect(again.deliveries).toHaveLength(50)
  expect(again.deliveries.every(({ created_at }) => created_at > begun)).toBe(true)
  expect(again).toMatchObject(times)
  expect(await show(planned.leadId, app.admin)).toMatchObject(times)
})

test('a lead was sent with the first attempt at an endpoint, and has arrived with the last webhook’s first success', async () => {
  const planned = await rows.planDelivery()
  const lead = await show(planned.leadId)
  const attempt = await rows.logAttempt(planned, 1, { delivered: false, isUnreached: true })
  const reached = { response_status: 500, remote_address: '192.0.2.1' }
  const taken = { delivery_status: 'delivered', response_status: 200, processing_time_ms: 400 }
  const other = { webhook_config_id: randomUUIDv7() }

  await repeatAt(attempt, [after(lead, 60_000), after(lead, 90_000)], reached)
  expect(await show(planned.leadId)).toMatchObject({
    first_sent_at: after(lead, 60_000).toISOString(),
    delivered_at: null,
  })
  await repeatAt(attempt, [after(lead, 120_000), after(lead, 900_000)], taken)
  await repeatAt(attempt, [after(lead, 300_000), after(lead, 600_000)], { ...taken, ...other })

  expect(await show(planned.leadId)).toMatchObject({
    first_sent_at: after(lead, 60_000).toISOString(),
    delivered_at: after(lead, 300_400).toISOString(),
  })
})

test('another client’s attempts reveal nothing to the lead’s holder', async () => {
  const planned = await rows.planDelivery()
  const attempt = await rows.logAttempt(planned, 1, { delivered: true })
  const before = await show(planned.leadId)
  await repeatAt(attempt, [after(before, -1000)], { client_user_id: randomUUIDv7() })

  expect(await show(planned.leadId)).toMatchObject({ first_sent_at: before.first_sent_at })
  expect(await show(planned.leadId, app.admin)).toMatchObject({
    first_sent_at: after(before, -1000).toISOString(),
  })
})

test('if the first attempts may have been deleted, no times are shown', async () => {
  const planned = await rows.planDelivery()
  await rows.logAttempt(planned, 1, { delivered: true })
  await db
    .updateTable('leads')
    .set({ created_at: new Date(Date.now() - (app.context.config.logs.keepDays + 1) * 86_400_000) })
    .where('id', '=', planned.leadId)
    .execute()

  expect(await show(planned.leadId)).toMatchObject({ first_sent_at: null, delivered_at: null })
})
