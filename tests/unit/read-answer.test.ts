import { describe, expect, it } from 'vitest'
import { readAnswer, type Exchange, type Verdict } from '#core/domain/read-answer.ts'

const now = new Date('2026-01-31T12:00:00Z')
const answer = (status: number, headers: Record<string, string> = {}): Verdict =>
  readAnswer({ kind: 'answer', status, headers }, now)

it.each([200, 201, 202, 204, 206, 226, 299])('takes %i as delivered, whatever its headers say', (status) => {
  expect(answer(status, { 'retry-after': '60', location: 'https://crm.example.com/' })).toEqual({
    outcome: 'delivered',
  })
})

it.each([
  [300, 'redirect', 'Put the final address in Endpoint URL'],
  [301, 'redirect', 'redirects are not followed'],
  [302, 'redirect', 'redirects are not followed'],
  [303, 'redirect', 'redirects are not followed'],
  [304, 'redirect', 'redirects are not followed'],
  [307, 'redirect', 'redirects are not followed'],
  [308, 'redirect', 'redirects are not followed'],
  [400, 'http_4xx', 'Check Payload Format'],
  [401, 'http_4xx', 'Check Custom Headers'],
  [403, 'http_4xx', 'Check Custom Headers'],
  [404, 'http_4xx', 'Check Endpoint URL'],
  [405, 'http_4xx', 'Check HTTP Method'],
  [408, 'http_4xx', 'gave up waiting'],
  [409, 'http_4xx', 'refused the request'],
  [413, 'http_4xx', 'too large'],
  [415, 'http_4xx', 'Check Payload Format'],
  [418, 'http_4xx', 'refused the request'],
  [422, 'http_4xx', 'Check Payload Template'],
  [429, 'throttled', 'slow down'],
  [499, 'http_4xx', 'refused the request'],
  [500, 'http_5xx', 'an error of its own'],
  [502, 'http_5xx', 'gateway'],
  [503, 'http_5xx', 'not available'],
  [504, 'http_5xx', 'gateway'],
  [599, 'http_5xx', 'an error of its own'],
  [600, 'http_other', 'an error of its own'],
  [999, 'http_other', 'an error of its own'],
])('explains %i as %s, in a sentence that begins with the status', (status, errorClass, words) => {
  const verdict = answer(status)
  expect(verdict).toMatchObject({
    outcome: 'failed',
    errorClass,
    message: expect.stringContaining(words) as string,
  })
  if (verdict.outcome === 'failed') expect(verdict.message).toMatch(new RegExp(`^${status}: [a-z].+\\.$`))
  expect(verdict).not.toHaveProperty('disable')
})

it('switches the configuration off on 410 alone, with the reason', () => {
  const verdict = answer(410, { 'retry-after': '60' })
  expect(verdict).toMatchObject({ outcome: 'failed', errorClass: 'gone' })
  expect(verdict).toHaveProperty('disable', expect.stringContaining('switched off'))
  expect(verdict).not.toHaveProperty('retryAfterSeconds')
})

describe('Retry-After', () => {
  it.each([429, 503])('counts on %i', (status) => {
    expect(answer(status, { 'retry-after': '120' })).toHaveProperty('retryAfterSeconds', 120)
    expect(answer(status, { 'retry-after': 'Sat, 31 Jan 2026 12:01:00 GMT' })).toHaveProperty(
      'retryAfterSeconds',
      60,
    )
    expect(answer(status, { 'retry-after': 'later' })).not.toHaveProperty('retryAfterSeconds')
    expect(answer(status)).not.toHaveProperty('retryAfterSeconds')
  })

  it.each([301, 400, 408, 413, 500, 502, 504])('does not count on %i', (status) => {
    expect(answer(status, { 'retry-after': '120' })).not.toHaveProperty('retryAfterSeconds')
  })
})

it('never repeats where a redirect leads, because an address can hold a credential', () => {
  const verdict = answer(302, { location: 'https://crm.example.com/?token=abc' })
  expect(JSON.stringify(verdict)).not.toMatch(/token|crm\.example/)
  expect(verdict).toHaveProperty('message', expect.stringContaining('elsewhere'))
})

it('passes a failure without an answer on as it was explained', () => {
  const exchange: Exchange = { kind: 'failure', errorClass: 'dns', detail: 'The host name does not exist.' }
  expect(readAnswer(exchange, now)).toEqual({
    outcome: 'failed',
    errorClass: 'dns',
    message: 'The host name does not exist.',
  })
})
