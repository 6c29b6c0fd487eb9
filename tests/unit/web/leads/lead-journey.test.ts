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
  it('ends at the assignment where no webhook wanted the lead', () => {
    expect(states(leadJourney(lead))).toEqual(['done', 'done', 'ahead', 'ahead'])
  })

  it('waits at the assignment for a lead that found no buyer', () => {
    const unassigned = { ...lead, status: 'unassigned' as const, assigned_at: null }
    expect(states(leadJourney(unassigned))).toEqual(['done', 'waiting', 'ahead', 'ahead'])
  })

  it('waits to be sent while no attempt was made', () => {
    expect(states(leadJourney(standing({ waiting: 1 })))).toEqual(['done', 'done', 'waiting', 'ahead'])
  })

  it('has sent nothing where the delivery was cancelled before its first attempt', () => {
    expect(states(leadJourney(standing({ cancelled: 1 })))).toEqual(['done', 'done', 'ahead', 'ahead'])
  })

  it('waits to be delivered between two attempts', () => {
    expect(states(leadJourney(standing({ retrying: 1, sent: 1 })))).toEqual([
      'done',
      'done',
      'done',
      'waiting',
    ])
  })

  it('fails only at its last station', () => {
    const failed = standing({ failed: 1, sent: 1 })
    expect(states(leadJourney(failed))).toEqual(['done', 'done', 'done', 'failed'])
  })

  it('fails at sending where no attempt has reached an endpoint', () => {
    expect(leadJourney(standing({ failed: 1 })).slice(2)).toEqual([
      { key: 'sent', label: 'Not sent', state: 'failed', at: null },
      { key: 'delivered', label: 'Delivered', state: 'ahead', at: null, note: 'no further attempt follows' },
    ])
  })

  it('waits to be sent while its endpoint cannot be reached', () => {
    expect(states(leadJourney(standing({ retrying: 1 })))).toEqual(['done', 'done', 'waiting', 'ahead'])
  })

  it('was sent when the first of all its attempts left, and says how long after receipt it arrived', () => {
    const times = { first_sent_at: '2026-11-21T12:00:00.100Z', delivered_at: '2026-11-21T12:00:05.400Z' }
    const [, , sent, last] = leadJourney({ ...standing({ delivered: 1, sent: 1 }), ...times })
    expect(sent?.at).toBe('2026-11-21T12:00:00.100Z')
    expect(last).toMatchObject({ state: 'done', at: '2026-11-21T12:00:05.400Z', note: '5.4 s after receipt' })
  })

  it('tells no times that nobody knows any more', () => {
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
  ] as const)('ends %s with %o: one success does not speak for all', (state, counts, label, note) => {
    const times = { first_sent_at: lead.created_at, delivered_at: lead.created_at }
    expect(leadJourney({ ...standing(counts), ...times })[3]).toEqual({
      key: 'delivered',
      label,
      state,
      at: null,
      note,
    })
  })

  it('looks the same in the list, which knows no times', () => {
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
  ])('call %o %s', (counts, label) => {
    expect(describeDeliveries({ ...none, ...counts }).label).toBe(label)
  })

  it('say of a single one why it waits', () => {
    expect(describeDeliveries({ ...none, held: 1 }).detail).toBe(
      'held: the webhook is or was switched off, or its endpoint does not answer',
    )
  })
})
