import { describe, expect, it } from 'vitest'
import type { DeliveryLogDetail } from '#core/contract/webhooks/delivery.ts'
import { drawAttemptJourney } from '#web/webhooks/attempt/attempt-journey.ts'
import { layOutBody } from '#web/webhooks/attempt/lay-out-body.ts'
import { describeNoResponse } from '#web/webhooks/logs/describe-absence.ts'

type Ending = Pick<DeliveryLogDetail, 'response_status' | 'error_class' | 'remote_address' | 'timing'>

const ADDRESS = '192.0.2.1'
const timing = (headers_ms: number | null) => ({ connect_ms: 3, headers_ms, total_ms: 15_000 })
const ended = (ending: Partial<Ending>): Ending => ({
  response_status: null,
  error_class: null,
  remote_address: ADDRESS,
  timing: timing(null),
  ...ending,
})

/** Sent without an answer, never sent, and partly answered. */
const SILENCE = [
  ['a time limit', ended({ error_class: 'timeout' })],
  ['a connection that was broken off', ended({ error_class: 'reset' })],
] as const
const NOTHING_SENT = [
  ['no connection', ended({ error_class: 'connect', remote_address: null })],
  ['a connection that came too late', ended({ error_class: 'timeout', remote_address: null })],
  ['an address that is not allowed', ended({ error_class: 'blocked_address', remote_address: null })],
  ['a failure of ours', ended({ error_class: 'internal_error', remote_address: null, timing: null })],
] as const
const HALF_AN_ANSWER = [
  ['an answer that did not end', ended({ error_class: 'timeout', timing: timing(40) })],
  ['an answer that broke off', ended({ error_class: 'reset', timing: timing(40) })],
  ['an answer that was too large', ended({ error_class: 'too_large' })],
] as const

describe('the journey of one attempt', () => {
  const draw = (
    delivery_status: string,
    response_status: number | null,
    event_type: 'lead.created' | 'lead.assigned',
    ending: Partial<Ending> = {},
  ) =>
    drawAttemptJourney({ ...ended(ending), delivery_status, response_status, event_type }).map(
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

  it('has no assignment if the lead was only received', () => {
    expect(draw('delivered', 204, 'lead.created')).toEqual(['Received done', 'Sent done', 'Delivered done'])
  })

  it('fails at delivery if the endpoint refused', () => {
    expect(draw('failed', 503, 'lead.created')).toEqual([
      'Received done',
      'Sent done',
      'Not delivered failed',
    ])
  })

  it('counts as sent if our process ended during the attempt', () => {
    const crashed = { error_class: 'sender_crashed', remote_address: null, timing: null } as const
    expect(draw('failed', null, 'lead.created', crashed)).toEqual([
      'Received done',
      'Sent done',
      'Not delivered failed',
    ])
  })

  it.each(SILENCE)('was sent and got no answer after %s', (_what, ending) => {
    expect(draw('failed', null, 'lead.created', ending)).toEqual([
      'Received done',
      'Sent done',
      'No answer failed',
    ])
  })

  it.each(HALF_AN_ANSWER)('was sent and not delivered after %s', (_what, ending) => {
    expect(draw('failed', null, 'lead.created', ending)).toEqual([
      'Received done',
      'Sent done',
      'Not delivered failed',
    ])
  })

  it.each(NOTHING_SENT)('fails at sending after %s', (_what, ending) => {
    expect(draw('failed', null, 'lead.created', ending)).toEqual([
      'Received done',
      'Not sent failed',
      'Delivered ahead',
    ])
  })

  it('waits before sending while the attempt is pending', () => {
    expect(draw('pending', null, 'lead.created', { remote_address: null })).toEqual([
      'Received done',
      'Sent waiting',
      'Delivered ahead',
    ])
  })
})

describe('a missing response', () => {
  const describeIt = (ending: Ending) =>
    describeNoResponse({
      ...ending,
      bodies: 'kept',
      bodies_kept_days: 30,
      delivery_state: 'failed',
      is_latest: true,
    })

  it.each(SILENCE)('was not given after %s', (_what, ending) => {
    expect(describeIt(ending)).toBe('The endpoint gave no response.')
  })

  it.each(HALF_AN_ANSWER)('was begun and could not be read, because of %s', (_what, ending) => {
    expect(describeIt(ending)).toBe('The endpoint began a response that could not be read to its end.')
  })

  it.each(NOTHING_SENT)('was impossible after %s', (_what, ending) => {
    expect(describeIt(ending)).toBe('Nothing was sent, so there is no response.')
  })
})

describe('a body in the log', () => {
  it('is indented if it is JSON, with order and digits kept', () => {
    expect(layOutBody('{"b":1.0,"1":12345678901234567890}')).toBe(
      '{\n  "b": 1.0,\n  "1": 12345678901234567890\n}',
    )
  })

  it('is unchanged if it is anything else', () => {
    expect(layOutBody('a=1&b=%20')).toBe('a=1&b=%20')
    expect(layOutBody('<h1>503</h1>')).toBe('<h1>503</h1>')
  })
})
