import { describe, expect, it } from 'vitest'
import type { LeadDetail, LeadSummary } from '#core/contract/leads/lead.ts'
import { leadJourney } from '#web/leads/lead-journey.ts'

const RECEIVED = '2026-11-21T12:00:00.000Z'

const lead: LeadSummary = {
  id: '018f0000-0000-7000-8000-000000000001',
  name: 'Alma Fictional',
  email: 'alma@example.com',
  phone: '+15550100100',
  state: 'CA',
  city: 'Exampleton',
  lead_type: 'final_expense',
  source: null,
  status: 'assigned',
  deal_size: 0,
  is_test: false,
  created_at: RECEIVED,
  assigned_at: '2026-11-21T12:00:00.050Z',
  unread: true,
  delivery_status: null,
}

type Attempt = LeadDetail['deliveries'][number]

function attempt(delivery_status: string, created_at: string): Attempt {
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
    resend_of: null,
    cancelled_by: null,
    lead: null,
    webhook_name: null,
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
    const pending = { ...lead, delivery_status: 'pending' as const }
    const waiting = attempt('pending', RECEIVED)
    expect(states(leadJourney(pending, [waiting]))).toEqual(['done', 'done', 'waiting', 'ahead'])
  })

  it('has sent nothing where the delivery was cancelled before its first attempt', () => {
    const stopped = attempt('cancelled', RECEIVED)
    expect(states(leadJourney(lead, [stopped]))).toEqual(['done', 'done', 'ahead', 'ahead'])
  })

  it('waits to be delivered between two attempts', () => {
    const pending = { ...lead, delivery_status: 'pending' as const }
    const failed = attempt('failed', RECEIVED)
    expect(states(leadJourney(pending, [failed]))).toEqual(['done', 'done', 'done', 'waiting'])
  })

  it('fails only at its last station', () => {
    const failed = { ...lead, delivery_status: 'failed' as const }
    expect(states(leadJourney(failed))).toEqual(['done', 'done', 'done', 'failed'])
  })

  it('says how long after receipt the first success came, whatever the order of the attempts', () => {
    const delivered = { ...lead, delivery_status: 'delivered' as const }
    const attempts = [
      attempt('delivered', '2026-11-21T12:00:05.400Z'),
      attempt('failed', '2026-11-21T12:00:00.100Z'),
    ]
    const [, , sent, last] = leadJourney(delivered, attempts)
    expect(sent?.at).toBe('2026-11-21T12:00:00.100Z')
    expect(last).toMatchObject({ state: 'done', at: '2026-11-21T12:00:05.400Z', note: '5.4 s after receipt' })
  })
})
