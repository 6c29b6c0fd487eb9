import { describe, expect, it } from 'vitest'
import type { LeadDeliveryCounts, LeadSummary } from '#core/contract/leads/lead.ts'
import { describeDeliveries } from '#web/components/describe-deliveries.ts'
import { leadJourney } from '#web/leads/lead-journey.ts'
import { lead, none } from './given-lead.ts'

const standing = (counts: Partial<LeadDeliveryCounts>): LeadSummary => ({
  ...lead,
  delivery_counts: { ...none, ...counts },
})

const states = (stations: ReturnType<typeof leadJourney>) => stations.map(({ state }) => state)

describe("a lead's journey", () => {
  it('ends at the assignment if no webhook wanted the lead', () => {
    expect(states(leadJourney(lead))).toEqual(['done', 'done', 'ahead', 'ahead'])
  })

  it('waits at the assignment if the lead found no buyer', () => {
    const unassigned = { ...lead, status: 'unassigned' as const, assigned_at: null }
    expect(states(leadJourney(unassigned))).toEqual(['done', 'waiting', 'ahead', 'ahead'])
  })

  it('waits for sending before the first attempt', () => {
    expect(states(leadJourney(standing({ waiting: 1 })))).toEqual(['done', 'done', 'waiting', 'ahead'])
  })

  it('shows no sending if the delivery was cancelled before its first attempt', () => {
    expect(states(leadJourney(standing({ cancelled: 1 })))).toEqual(['done', 'done', 'ahead', 'ahead'])
  })

  it('waits for delivery between two attempts', () => {
    expect(states(leadJourney(standing({ retrying: 1, sent: 1 })))).toEqual([
      'done',
      'done',
      'done',
      'waiting',
    ])
  })

  it('fails only at its last step', () => {
    const failed = standing({ failed: 1, sent: 1 })
    expect(states(leadJourney(failed))).toEqual(['done', 'done', 'done', 'failed'])
  })

  it('fails at sending if no attempt has reached an endpoint', () => {
    expect(leadJourney(standing({ failed: 1 })).slice(2)).toEqual([
      { key: 'sent', label: 'Not sent', state: 'failed', at: null },
      { key: 'delivered', label: 'Delivered', state: 'ahead', at: null, note: 'no further attempt follows' },
    ])
  })

  it('waits for sending while the endpoint cannot be reached', () => {
    expect(states(leadJourney(standing({ retrying: 1 })))).toEqual(['done', 'done', 'waiting', 'ahead'])
  })

  it('shows the time of the first attempt as sent, and the time from receipt to delivery', () => {
    const times = { first_sent_at: '2026-11-21T12:00:00.100Z', delivered_at: '2026-11-21T12:00:05.400Z' }
    const [, , sent, last] = leadJourney({ ...standing({ delivered: 1, sent: 1 }), ...times })
    expect(sent?.at).toBe('2026-11-21T12:00:00.100Z')
    expect(last).toMatchObject({ state: 'done', at: '2026-11-21T12:00:05.400Z', note: '5.4 s after receipt' })
  })

  it('shows no times that are no longer known', () => {
    const times = { first_sent_at: null, delivered_at: null }
    expect(leadJourney({ ...standing({ delivered: 1, sent: 1 }), ...times }).slice(2)).toEqual([
      { key: 'sent', label: 'Sent', state: 'done', at: null },
      { key: 'delivered', label: 'Delivered', state: 'done', at: null },
    ])
  })

  it.each([
    ['failed', { delivered: 1, failed: 1, sent: 2 }, 'Partly delivered', '1 delivered, 1 failed'],
    ['failed', { retrying: 1, failed: 1, sent: 2 }, 'Partly delivered', '1 failed, 1 retrying'],
    ['waiting', { delivered: 1, held: 1, sent: 1 }, 'Delivered', '1 delivered, 1 held'],
    ['waiting', { delivered: 2, retrying: 1, sent: 3 }, 'Delivered', '2 delivered, 1 retrying'],
    ['waiting', { delivered: 1, waiting: 1, sent: 1 }, 'Delivered', '1 delivered, 1 waiting'],
  ] as const)('ends %s with %o: one success does not count for all', (state, counts, label, note) => {
    const times = { first_sent_at: lead.created_at, delivered_at: lead.created_at }
    expect(leadJourney({ ...standing(counts), ...times })[3]).toEqual({
      key: 'delivered',
      label,
      state,
      at: null,
      note,
    })
  })

  it('looks the same in the list, which has no times', () => {
    const partly = standing({ delivered: 1, failed: 1, sent: 2 })
    const times = { first_sent_at: lead.created_at, delivered_at: lead.created_at }
    expect(states(leadJourney({ ...partly, ...times }))).toEqual(states(leadJourney(partly)))
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
  ])('describe %o as %s', (counts, label) => {
    expect(describeDeliveries({ ...none, ...counts }).label).toBe(label)
  })

  it('explain why a single delivery waits', () => {
    expect(describeDeliveries({ ...none, held: 1 }).detail).toBe(
      'held: the webhook is or was off, its endpoint does not answer, or sending is paused',
    )
  })
})
