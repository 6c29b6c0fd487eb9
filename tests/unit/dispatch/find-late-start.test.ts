import { expect, it } from 'vitest'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { uuidAt } from '#core/domain/uuid-at.ts'
import { findLateStart } from '#worker/pipeline/3-find-late-start.ts'

const SOLD = new Date('2026-11-30T12:00:00Z')
const id = uuidAt(SOLD, '00000000-0000-7000-8000-000000000001')
const delivery = {
  attempt: 1,
  is_resend: false,
  event_type: 'lead.assigned',
  lead_id: id,
  event_id: id,
  due_at: SOLD,
  turn: 0,
} as ClaimedDelivery

it.each([
  ['in time', 2000, false],
  ['late', 3000, true],
  ['before its lead, because the clock was put back an hour', -3_590_000, true],
])('an attempt that begins %s', (_what, ms, isNoted) => {
  const noted = findLateStart(delivery, new Date(SOLD.getTime() + ms))
  expect(noted).toEqual(isNoted ? { due_at: SOLD, turn: 0 } : null)
})

it('a retry, a resend and another event are never noted', () => {
  const later = new Date(SOLD.getTime() + 60_000)
  for (const fields of [{ attempt: 2 }, { is_resend: true }, { event_type: 'lead.returned' as const }])
    expect(findLateStart({ ...delivery, ...fields }, later)).toBeNull()
})
