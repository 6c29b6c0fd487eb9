import { describe, expect, it } from 'vitest'
import {
  labelDeliveryStatus,
  describeLead,
  describeNextAttempt,
  formatDueIn,
  formatDuration,
  formatResponseCode,
} from '#web/components/webhook-log-cells.ts'

describe('the status of a delivery (docs/product.md §4)', () => {
  const label = (delivery_status: string, response_status: number | null) =>
    labelDeliveryStatus({ delivery_status, response_status }).label

  it('is Success when delivered, whatever the code', () => {
    expect(label('delivered', null)).toBe('Success')
    expect(label('delivered', 500)).toBe('Success')
  })

  it('is Success on any 2xx answer, even if the row says failed', () => {
    expect(label('failed', 200)).toBe('Success')
    expect(label('queued', 299)).toBe('Success')
  })

  it('is Failed if the success rule found a rejection in a 2xx answer', () => {
    const refused = {
      delivery_status: 'failed',
      response_status: 200,
      error_class: 'refused_by_body',
    } as const
    expect(labelDeliveryStatus(refused)).toEqual({ label: 'Failed', tone: 'failure' })
  })

  it.each(['reset', 'timeout', 'too_large'] as const)(
    'is Failed if a 2xx answer broke off (%s): it is sent again',
    (error_class) => {
      const broken = { delivery_status: 'failed', response_status: 200, error_class }
      expect(labelDeliveryStatus(broken)).toEqual({ label: 'Failed', tone: 'failure' })
    },
  )

  it('is Failed when failed or with a code of 400 or more', () => {
    expect(label('failed', null)).toBe('Failed')
    expect(label('failed', 302)).toBe('Failed')
    expect(label('pending', 400)).toBe('Failed')
    expect(label('queued', 503)).toBe('Failed')
  })

  it('is Pending while there is no answer', () => {
    expect(label('pending', null)).toBe('Pending')
    expect(label('pending', 302)).toBe('Pending')
  })

  it('is shown unchanged for any other value', () => {
    expect(label('queued', null)).toBe('queued')
    expect(label('held', 199)).toBe('held')
  })

  it('has a tone of its own for each meaning', () => {
    const tones = ['delivered', 'failed', 'pending', 'queued'].map(
      (delivery_status) => labelDeliveryStatus({ delivery_status, response_status: null }).tone,
    )
    expect(tones).toEqual(['success', 'failure', 'waiting', 'neutral'])
  })
})

describe('the cells of the delivery log (docs/product.md §2)', () => {
  const lead_id = '0193a000-0000-7000-8000-000000000001'

  it('name the lead, with its e-mail beneath', () => {
    expect(
      describeLead({ lead_id, lead: { name: 'Ada Quill', email: 'ada@example.com', phone: '+1' } }),
    ).toEqual({
      name: 'Ada Quill',
      detail: 'ada@example.com',
    })
  })

  it('fall back from e-mail to phone to the lead id', () => {
    expect(describeLead({ lead_id, lead: { name: 'A', email: '', phone: '+12135550100' } }).detail).toBe(
      '+12135550100',
    )
    expect(describeLead({ lead_id, lead: { name: 'A', email: null, phone: null } }).detail).toBe(lead_id)
  })

  it('show a lead without a name, or a deleted one, as Unknown', () => {
    expect(describeLead({ lead_id, lead: { name: ' ', email: null, phone: null } }).name).toBe('Unknown')
    expect(describeLead({ lead_id, lead: null })).toEqual({ name: 'Unknown', detail: lead_id })
  })

  it('name an event beside the lead, also if it has a lead', () => {
    for (const id of [lead_id, null])
      expect(describeLead({ lead_id: id, lead: null, event_type: 'lead.returned' })).toEqual({
        name: 'Lead returned',
        detail: 'lead.returned',
      })
  })

  it('show N/A if there is no code or duration', () => {
    expect([formatDuration(null), formatDuration(0), formatDuration(15_000)]).toEqual([
      'N/A',
      '0 ms',
      '15,000 ms',
    ])
    expect([formatResponseCode(null), formatResponseCode(204)]).toEqual(['N/A', '204'])
  })

  it('give a wait in the unit that a person would use', () => {
    const now = new Date('2026-01-01T00:00:00Z')
    const after = (seconds: number) =>
      formatDueIn(new Date(now.getTime() + seconds * 1000).toISOString(), now)
    expect([-5, 0, 4.2, 89, 300, 7200, 36_000].map(after)).toEqual([
      'now',
      'now',
      'in 5 s',
      'in 89 s',
      'in 5 min',
      'in 2 h',
      'in 10 h',
    ])
  })

  it('show the time of the next try, only on the newest row of a delivery', () => {
    const now = new Date('2026-01-01T00:00:00Z')
    const next_attempt_at = '2026-01-01T00:05:00Z'
    const first = { delivery_id: 'd1', delivery_status: 'failed', attempt_number: 1, next_attempt_at }
    const second = { ...first, attempt_number: 2 }
    const waiting = { delivery_id: 'd2', delivery_status: 'pending', attempt_number: 1, next_attempt_at }
    const over = { delivery_id: 'd3', delivery_status: 'failed', attempt_number: 8, next_attempt_at: null }
    const all = [second, first, waiting, over]
    expect(all.map((log) => describeNextAttempt(log, all, now))).toEqual([
      'next attempt in 5 min',
      null,
      'due in 5 min',
      null,
    ])
  })

  it('say that a due delivery waits for the requests a minute of its webhook', () => {
    const now = new Date('2026-01-01T00:00:00Z')
    const log = { delivery_id: 'd1', attempt_number: 1, next_attempt_at: now.toISOString() }
    const waits = ['pending', 'failed'].map((delivery_status) => ({
      ...log,
      delivery_status,
      waits_for_rate: 1200,
    }))
    const said = 'waits for this webhook’s limit of 1,200 a minute'
    expect(waits.map((one) => describeNextAttempt(one, [one], now))).toEqual([said, said])
  })
})
