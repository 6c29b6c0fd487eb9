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

it.each([
  ['https://login.example.com/signin?token=abc#part', 'redirects to https://login.example.com/signin;'],
  ['https://user:token@crm.example.com:8443/', 'redirects to https://crm.example.com:8443/;'],
  ['/login?next=token', 'redirects to /login;'],
  ['/login/?next=token', 'redirects to /login/;'],
  ['https://crm.example.com/hook/', 'redirects to https://crm.example.com/hook/;'],
  ['//other.example.com/a?token', 'redirects to https://other.example.com/a;'],
  ['mailto:token@example.com', 'redirects elsewhere;'],
  ['https://[', 'redirects elsewhere;'],
  [`/${'a'.repeat(5000)}`, 'redirects;'],
  [`/${'a'.repeat(500)}`, 'redirects to /…;'],
  ['https://hooks.example.com/T0/B1/token', 'redirects to https://hooks.example.com/…;'],
  ['/thanks/avery-token@example.com', 'redirects to /thanks…;'],
])('says where a redirect to %j leads, and never its query', (location, words) => {
  const verdict = answer(302, { location })
  expect(verdict).toHaveProperty('message', expect.stringContaining(words))
  expect(JSON.stringify(verdict)).not.toContain('token')
})

it.each([
  ['<center>Request Header Or Cookie Too Large</center>', 'Shorten Custom Headers'],
  ['Size of a request header field exceeds server limit.', 'Shorten Custom Headers'],
  ['HTTP Error 400. The size of the request headers is too long.', 'Shorten Custom Headers'],
  ['<b>Message</b> Request header is too large', 'Shorten Custom Headers'],
  ['<h2>Bad Request - Invalid Hostname</h2>', 'does not know this host name. Check Endpoint URL'],
  ['<h2>Bad Request - Invalid URL</h2>', 'does not accept this address. Check Endpoint URL'],
  [
    '<b>Message</b> Invalid character found in the request target [/a?b={c}].',
    'does not accept this address. Check Endpoint URL',
  ],
  ['<title>400 No required SSL certificate was sent</title>', 'asks for a client certificate. Add one'],
  ['<center>The SSL certificate error</center>', 'did not accept the client certificate'],
  ['<center>The plain HTTP request was sent to HTTPS port</center>', 'Let Endpoint URL begin with https://'],
  ['You’re speaking plain HTTP to an SSL-enabled server port.<br />', 'Let Endpoint URL begin with https://'],
  ['Client sent an HTTP request to an HTTPS server.\n', 'Let Endpoint URL begin with https://'],
  ['This combination of host and port requires TLS.', 'Let Endpoint URL begin with https://'],
  ['Queue is full.', 'queue is full'],
  ['{"error":"phone is missing"}', 'Check Payload Format'],
])('reads the cause of a 400 that a web server itself answers: %j', (body, words) => {
  const ruled = { successRule: null, capturePath: null, body, bodyTruncated: false }
  expect(readAnswer({ kind: 'answer', status: 400, headers: {} }, now, ruled)).toMatchObject({
    errorClass: 'http_4xx',
    message: expect.stringContaining(words) as string,
  })
})

it.each([
  [400, '{"message":"This location does not allow duplicated contacts."}'],
  [400, '[{"errorCode":"DUPLICATES_DETECTED","message":"Use one of these records?"}]'],
  [400, '{"title":"Member Exists","status":400}'],
  [409, '{"message":"Contact already exists. Existing ID: 1"}'],
  [422, '{"errors":{"email":["has already been taken"]}}'],
])('a %i that says it has the lead already blames no payload: %s', (status, body) => {
  const ruled = { successRule: null, capturePath: null, body, bodyTruncated: false }
  expect(readAnswer({ kind: 'answer', status, headers: {} }, now, ruled)).toHaveProperty(
    'message',
    `${status}: your endpoint seems to have this lead already. Let it accept duplicates, or answer 200 to them.`,
  )
})

it.each([
  ['[{"message":"TotalRequests Limit exceeded.","errorCode":"REQUEST_LIMIT_EXCEEDED"}]', 'limit of requests'],
  ['{"message":"Missing Authentication Token"}', 'has no such address or method'],
  [
    'This distribution is not configured to allow the HTTP request method that was used for this request.',
    'Check HTTP Method',
  ],
  ['{"message":"Forbidden"}', 'Check Custom Headers'],
])('reads the cause of a 403 that Amazon or Salesforce answers: %j', (body, words) => {
  const ruled = { successRule: null, capturePath: null, body, bodyTruncated: false }
  expect(readAnswer({ kind: 'answer', status: 403, headers: {} }, now, ruled)).toHaveProperty(
    'message',
    expect.stringContaining(words),
  )
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

describe('a redirect', () => {
  const told = (status: number, location: string): string => {
    const verdict = answer(status, { location })
    return verdict.state === 'failed' ? verdict.message : ''
  }

  it.each([300, 301, 302, 303, 307, 308])(
    'of %i is not followed, and its target is to be put in',
    (status) => {
      expect(told(status, 'https://crm.example.com/')).toBe(
        `${status}: your endpoint redirects to https://crm.example.com/; redirects are not followed. Put the final address in Endpoint URL.`,
      )
    },
  )

  it('is not what 304 is, wherever it points', () => {
    expect(told(304, 'https://crm.example.com/')).not.toMatch(/redirect|final address/)
  })

  it('of a Google Apps Script that has run says how it answers 200', () => {
    const message = told(302, 'https://script.googleusercontent.com/macros/echo?user_content_key=abc&lib=def')
    expect(message).toMatch(/^302: your Google Apps Script has run/)
    expect(message).toContain('HtmlService.createHtmlOutput')
    expect(message).not.toMatch(/final address|abc/)
  })

  it('of a Google Apps Script that nobody may call says how it is deployed', () => {
    const message = told(302, 'https://accounts.google.com/ServiceLogin?continue=https://script.google.com/x')
    expect(message).toContain('access for “Anyone”')
  })
})
