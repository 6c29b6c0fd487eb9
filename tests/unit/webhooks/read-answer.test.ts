import { describe, expect, it } from 'vitest'
import { readAnswer, type Exchange, type Verdict } from '#core/domain/webhooks/answer/read-answer.ts'

const now = new Date('2026-01-31T12:00:00Z')
const answer = (status: number, headers: Record<string, string> = {}): Verdict =>
  readAnswer({ kind: 'answer', status, headers }, now)

it.each([200, 201, 202, 204, 206, 226, 299])('takes %i as delivered, whatever its headers say', (status) => {
  expect(answer(status, { 'retry-after': '60', location: 'https://crm.example.com/' })).toEqual({
    state: 'delivered',
    outcome: null,
    receiverId: null,
  })
})

it.each([
  [300, 'redirect', 'a redirect that leads nowhere'],
  [302, 'redirect', 'a redirect that leads nowhere'],
  [304, 'redirect', 'says that nothing has changed'],
  [305, 'redirect', 'a redirect that leads nowhere'],
  [399, 'redirect', 'a redirect that leads nowhere'],
  [400, 'http_4xx', 'Check Payload Format'],
  [401, 'http_4xx', 'Compare its secret with Signing secret under Edit. Check Custom Headers'],
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
  [431, 'http_4xx', 'Shorten Custom Headers'],
  [499, 'http_4xx', 'refused the request'],
  [500, 'http_5xx', 'an error of its own'],
  [502, 'http_5xx', 'gateway'],
  [503, 'http_5xx', 'not available'],
  [504, 'http_5xx', 'gateway'],
  [521, 'http_5xx', 'a gateway before your endpoint had no answer from it'],
  [522, 'http_5xx', 'a gateway before your endpoint had no answer from it'],
  [523, 'http_5xx', 'a gateway before your endpoint had no answer from it'],
  [524, 'http_5xx', 'a gateway before your endpoint waited too long'],
  [525, 'http_5xx', 'Check the certificate of the server behind it'],
  [526, 'http_5xx', 'Check the certificate of the server behind it'],
  [599, 'http_5xx', 'an error of its own'],
  [600, 'http_other', 'an error of its own'],
  [999, 'http_other', 'an error of its own'],
])('explains %i as %s, in a sentence that begins with the status', (status, errorClass, words) => {
  const verdict = answer(status)
  expect(verdict).toMatchObject({
    state: 'failed',
    errorClass,
    message: expect.stringContaining(words) as string,
  })
  if (verdict.state === 'failed') expect(verdict.message).toMatch(new RegExp(`^${status}: [a-z].+\\.$`))
  expect(verdict).not.toHaveProperty('disable')
})

it('switches the configuration off on 410 alone, with the reason', () => {
  const verdict = answer(410, { 'retry-after': '60' })
  expect(verdict).toMatchObject({ state: 'failed', errorClass: 'gone' })
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

it('passes a failure without an answer on as it was explained', () => {
  const exchange: Exchange = { kind: 'failure', errorClass: 'dns', detail: 'The host name does not exist.' }
  expect(readAnswer(exchange, now)).toEqual({
    state: 'failed',
    errorClass: 'dns',
    message: 'The host name does not exist.',
  })
})

describe('the body of a 2xx', () => {
  const read = (status: number, body: string) =>
    readAnswer({ kind: 'answer', status, headers: {} }, now, {
      successRule: {
        accepted: { path: 'success', equals: true },
        duplicate: { contains: 'already here' },
        rejected: { path: 'success', equals: false },
      },
      capturePath: 'lead_id',
      body,
      bodyTruncated: false,
    })

  it('can say yes, or that the lead was there before, with the receiver’s id', () => {
    expect(read(200, '{"success":true,"lead_id":42}')).toEqual({
      state: 'delivered',
      outcome: 'accepted',
      receiverId: '42',
    })
    expect(read(202, '{"success":false,"text":"Already here","lead_id":"42"}')).toEqual({
      state: 'delivered',
      outcome: 'duplicate',
      receiverId: '42',
    })
  })

  it('can say no, which is final, or nothing clear, which is not', () => {
    expect(read(200, '{"success":false}')).toEqual({
      state: 'failed',
      errorClass: 'refused_by_body',
      outcome: 'rejected',
      message:
        '200: your endpoint took the request, but its answer says no: "success" is false. It is not sent again by itself.',
    })
    const unclear = read(200, '<html>Sign in</html>')
    expect(unclear).toMatchObject({
      state: 'failed',
      errorClass: 'refused_by_body',
      message:
        '200: your endpoint took the request, but its answer is not the one the success rule asks for: it is not JSON, which the success rule needs.',
    })
    expect(unclear).not.toHaveProperty('outcome')
  })

  it('is not asked where the status has said no already', () => {
    expect(read(500, '{"success":true}')).toMatchObject({ state: 'failed', errorClass: 'http_5xx' })
    expect(read(302, '{"success":true}')).toMatchObject({ state: 'failed', errorClass: 'redirect' })
  })
})
