import { describe, expect, it } from 'vitest'
import type { LeadDeliveryCounts, LeadDetail, LeadSummary } from '#core/contract/leads/lead.ts'
import { describeDeliveries } from '#web/components/describe-deliveries.ts'
import { leadJourney } from '#web/leads/lead-journey.ts'
import { lead, none, RECEIVED } from './given-lead.ts'

const standing = (counts: Partial<LeadDeliveryCounts>): LeadSummary => ({
  ...lead,
  delivery_counts: { ...none, ...counts },
})

type Attempt = LeadDetail['deliveries'][number]

function attempt(delivery_status: string, created_at: string, more: Partial<Attempt> = {}): Attempt {
  return {
    id: '018f0000-0000-7000-8000-000000000002',
    webhook_config_id: '018f0000-0000-7000-8000-000000000003',
    lead_id: lead.id,
    delivery_id: '018f0000-0000-7000-8000-000000000004',
    event_id: '018f0000-0000-7000-8000-000000000005',
    event_type: 'lead.assigned',
    delivery_status,
    response_status: null,
    attempt_number: 1,
    processing_time_ms: null,
    created_at,
    error_message: null,
    error_class: null,
    outcome: null,
    receiver_id: null,
    next_attempt_at: null,
    delivery_state: null,
    is_latest: true,
    is_sending: false,
    is_sent_again: false,
    is_resent: false,
    waits_for_hours: false,
    resend_of: null,
    cancelled_by: null,
    lead: null,
    webhook_name: null,
    ...more,
  }
}

const states = (stations: ReturnType<typeof leadJourney>) => stations.map(({ state }) => state)

describe("a lead's journey", () => {
  it('ends at the assignment where no webhook wanted the lead', () => {
    expect(states(leadJourney(lead))).toEqual(['done', 'done', 'ahead', 'ahead'])
  })

  it('waits at the assignment for a lead that found no buyer', () => {
    const unassigned = { ...lead, status: 'unassigned' as const, assigned_at: null }
    expect(states(leadJourney(unassigned))).toEqual(['done', 'waiting', 'ahead', 'ahead'])
  })

  it('waits to be sent while no attempt was made', () => {
    const pending = standing({ waiting: 1 })
    const waiting = attempt('pending', RECEIVED)
    expect(states(leadJourney(pending, [waiting]))).toEqual(['done', 'done', 'waiting', 'ahead'])
  })

  it('has sent nothing where the delivery was cancelled before its first attempt', () => {
    const stopped = attempt('cancelled', RECEIVED)
    expect(states(leadJourney(standing({ cancelled: 1 }), [stopped]))).toEqual([
      'done',
      'done',
      'ahead',
      'ahead',
    ])
  })

  it('waits to be delivered between two attempts', () => {
    const pending = standing({ retrying: 1, sent: 1 })
    const failed = attempt('failed', RECEIVED)
    expect(states(leadJourney(pending, [failed]))).toEqual(['done', 'done', 'done', 'waiting'])
  })

  it('fails only at its last station', () => {
    const failed = standing({ failed: 1, sent: 1 })
    expect(states(leadJourney(failed))).toEqual(['done', 'done', 'done', 'failed'])
  })

  it('fails at sending where no attempt has reached an endpoint', () => {
    const failed = standing({ failed: 1 })
    const refused = attempt('failed', RECEIVED, { error_class: 'connect' })
    expect(leadJourney(failed, [refused]).slice(2)).toEqual([
      { key: 'sent', label: 'Not sent', state: 'failed', at: null },
      { key: 'delivered', label: 'Delivered', state: 'ahead', at: null, note: 'no further attempt follows' },
    ])
  })

  it('waits to be sent while its endpoint cannot be reached', () => {
    const refused = attempt('failed', RECEIVED, { error_class: 'connect' })
    expect(states(leadJourney(standing({ retrying: 1 }), [refused]))).toEqual([
      'done',
      'done',
      'waiting',
      'ahead',
    ])
  })

  it('was sent with the first attempt that left', () => {
    const attempts = [
      attempt('failed', '2026-11-21T12:00:01.000Z', { error_class: 'dns' }),
      attempt('failed', '2026-11-21T12:00:06.000Z', { error_class: 'timeout' }),
    ]
    expect(leadJourney(standing({ retrying: 1, sent: 1 }), attempts)[2]?.at).toBe('2026-11-21T12:00:06.000Z')
  })

  it('says how long after receipt the answer of the first success came, whatever the order of the attempts', () => {
    const attempts = [
      attempt('delivered', '2026-11-21T12:00:04.000Z', { processing_time_ms: 1400 }),
      attempt('failed', '2026-11-21T12:00:00.100Z'),
    ]
    const [, , sent, last] = leadJourney(standing({ delivered: 1, sent: 1 }), attempts)
    expect(sent?.at).toBe('2026-11-21T12:00:00.100Z')
    expect(last).toMatchObject({ state: 'done', at: '2026-11-21T12:00:05.400Z', note: '5.4 s after receipt' })
  })

  it('is delivered when the last of its webhooks has it, however often it was sent again', () => {
    const [one, other] = ['018f0000-0000-7000-8000-00000000000a', '018f0000-0000-7000-8000-00000000000b']
    const attempts = [
      attempt('delivered', '2026-11-21T12:00:01.000Z', { webhook_config_id: one }),
      attempt('delivered', '2026-11-21T12:00:02.000Z', { webhook_config_id: other }),
      attempt('delivered', '2026-11-21T18:00:00.000Z', { webhook_config_id: one, resend_of: one }),
    ]
    const last = leadJourney(standing({ delivered: 2, sent: 2 }), attempts)[3]
    expect(last).toMatchObject({ state: 'done', note: '2 delivered, 2.0 s after receipt' })
  })

  it.each([
    ['failed', { delivered: 1, failed: 1, sent: 2 }, 'Partly delivered', '1 delivered, 1 failed'],
    ['failed', { retrying: 1, failed: 1, sent: 2 }, 'Partly delivered', '1 failed, 1 retrying'],
    ['waiting', { delivered: 1, held: 1, sent: 1 }, 'Delivered', '1 delivered, 1 held'],
    ['waiting', { delivered: 2, retrying: 1, sent: 3 }, 'Delivered', '2 delivered, 1 retrying'],
    ['waiting', { delivered: 1, waiting: 1, sent: 1 }, 'Delivered', '1 delivered, 1 waiting'],
  ] as const)('ends %s with %o: one success does not speak for all', (state, counts, label, note) => {
    const attempts = [attempt('delivered', RECEIVED)]
    expect(leadJourney(standing(counts), attempts)[3]).toEqual({
      key: 'delivered',
      label,
      state,
      at: null,
      note,
    })
  })

  it('looks the same in the list, which knows no attempts', () => {
    const partly = standing({ delivered: 1, failed: 1, sent: 2 })
    const attempts = [attempt('delivered', RECEIVED), attempt('failed', RECEIVED)]
    expect(states(leadJourney(partly, attempts))).toEqual(states(leadJourney(partly)))
  })
})

describe('the deliveries of a lead in words', () => {
  it.each([
    [{}, 'None'],
    [{ delivered: 2 }, 'Delivered'],
    [{ delivered: 1, cancelled: 1 }, 'Delivered'],
    [{ delivered: 1, failed: 1 }, 'Partly failed'],
    [{ failed: 2 }, 'Failed'],
    [{ failed: 1, cancelled: 1 }, 'Failed'],
    [{ delivered: 1, held: 1, retrying: 1 }, 'Held'],
    [{ retrying: 1, waiting: 1 }, 'Retrying'],
    [{ waiting: 1, delivered: 1 }, 'Waiting'],
    [{ cancelled: 2 }, 'Cancelled'],
  ])('call %o %s', (counts, label) => {
    expect(describeDeliveries({ ...none, ...counts }).label).toBe(label)
  })

  it('say of a single one why it waits', () => {
    expect(describeDeliveries({ ...none, held: 1 }).detail).toBe(
      'held: the webhook is switched off or its endpoint does not answer',
    )
  })
})
