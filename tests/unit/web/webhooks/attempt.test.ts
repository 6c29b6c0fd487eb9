import { describe, expect, it } from 'vitest'
import { drawAttemptJourney } from '#web/webhooks/attempt/attempt-journey.ts'
import { layOutBody } from '#web/webhooks/attempt/lay-out-body.ts'

describe('the journey of one attempt', () => {
  const draw = (
    delivery_status: string,
    response_status: number | null,
    event_type: 'lead.created' | 'lead.assigned',
  ) =>
    drawAttemptJourney({ delivery_status, response_status, event_type }).map(
      ({ label, state }) => `${label} ${state}`,
    )

  it('ends at delivered after a success', () => {
    expect(draw('delivered', 200, 'lead.assigned')).toEqual([
      'Received done',
      'Assigned done',
      'Sent done',
      'Delivered done',
    ])
  })

  it('has no assignment where the lead was only received', () => {
    expect(draw('delivered', 204, 'lead.created')).toEqual(['Received done', 'Sent done', 'Delivered done'])
  })

  it('fails at delivery when the endpoint refused', () => {
    expect(draw('failed', 503, 'lead.created')).toEqual([
      'Received done',
      'Sent done',
      'Not delivered failed',
    ])
  })

  it('fails at sending when no answer came', () => {
    expect(draw('failed', null, 'lead.created')).toEqual([
      'Received done',
      'Not sent failed',
      'Delivered ahead',
    ])
  })

  it('waits before sending while the attempt is pending', () => {
    expect(draw('pending', null, 'lead.created')).toEqual([
      'Received done',
      'Sent waiting',
      'Delivered ahead',
    ])
  })
})

describe('a body shown in the attempt', () => {
  it('is opened up when it is JSON, order and digits kept', () => {
    expect(layOutBody('{"b":1.0,"1":12345678901234567890}')).toBe(
      '{\n  "b": 1.0,\n  "1": 12345678901234567890\n}',
    )
  })

  it('is left alone when it is anything else', () => {
    expect(layOutBody('a=1&b=%20')).toBe('a=1&b=%20')
    expect(layOutBody('<h1>503</h1>')).toBe('<h1>503</h1>')
  })
})
