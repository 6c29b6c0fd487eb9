import { describe, expect, it } from 'vitest'
import { readAnswer, type Exchange, type Verdict } from '#core/domain/webhooks/answer/read-answer.ts'

const now = new Date('2026-01-31T12:00:00Z')
const answer = (status: number, headers: Record<string, string> = {}): Verdict =>
  readAnswer({ kind: 'answer', status, headers }, now)

it.each([200, 201, 202, 204, 206, 226, 299])('counts %i as delivered, whatever its headers', (status) => {
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
  [401, 'http_4xx', 'compare its secret with Signing secret under Edit, and check Authentication'],
  [403, 'http_4xx', 'Check Custom Headers'],
  [404, 'http_4xx', 'Check Endpoint URL'],
  [405, 'http_4xx', 'Check Endpoint URL and HTTP Method'],
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
  [501, 'http_5xx', 'Check HTTP Method if its answer does not say why'],
  [502, 'http_5xx', 'gateway'],
  [503, 'http_5xx', 'not available'],
  [504, 'http_5xx', 'gateway'],
  [521, 'http_5xx', 'your endpoint, or a gateway before it, had no valid answer'],
  [522, 'http_5xx', 'your endpoint, or a gateway before it, had no valid answer'],
  [523, 'http_5xx', 'your endpoint, or a gateway before it, had no valid answer'],
  [524, 'http_5xx', 'your endpoint, or a gateway before it, waited too long'],
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

it('switches the configuration off only on 410, with the reason', () => {
  const verdict = answer(410, { 'retry-after': '60' })
  expect(verdict).toMatchObject({ state: 'failed', errorClass: 'gone' })
  expect(verdict).toHaveProperty('disable', expect.stringContaining('switched off'))
  expect(verdict).not.toHaveProperty('retryAfterSeconds')
})

describe('Retry-After', () => {
  it.each([429, 503])('is followed on %i', (status) => {
    expect(answer(status, { 'retry-after': '120' })).toHaveProperty('retryAfterSeconds', 120)
    expect(answer(status, { 'retry-after': 'Sat, 31 Jan 2026 12:01:00 GMT' })).toHaveProperty(
      'retryAfterSeconds',
      60,
    )
    expect(answer(status, { 'retry-after': 'later' })).not.toHaveProperty('retryAfterSeconds')
    expect(answer(status)).not.toHaveProperty('retryAfterSeconds')
  })

  it.each([301, 400, 408, 413, 500, 502, 504])('is ignored on %i', (status) => {
    expect(answer(status, { 'retry-after': '120' })).not.toHaveProperty('retryAfterSeconds')
  })
})

it('returns a failure without an answer as it was explained', () => {
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

  it('can accept the lead or report a duplicate, with the receiver’s id', () => {
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

  it('can reject the lead, which is final, or be unclear, which is not', () => {
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
        '200: your endpoint took the request, but its answer is not the one the success rule asks for: it is not JSON, which a path needs.',
    })
    expect(unclear).not.toHaveProperty('outcome')
  })

  it('is ignored if the status already refuses', () => {
    expect(read(500, '{"success":true}')).toMatchObject({ state: 'failed', errorClass: 'http_5xx' })
    expect(read(302, '{"success":true}')).toMatchObject({ state: 'failed', errorClass: 'redirect' })
  })
})

const messageOf = (status: number, body: string): string => {
  const verdict = readAnswer({ kind: 'answer', status, headers: {} }, now, {
    successRule: null,
    capturePath: null,
    body,
    bodyTruncated: false,
  })
  return verdict.state === 'failed' ? verdict.message : verdict.state
}

describe('an answer that reports a duplicate', () => {
  it.each([
    [400, '{"message":"This location does not allow duplicated contacts."}'],
    [400, '[{"errorCode":"DUPLICATES_DETECTED","message":"Use one of these records?"}]'],
    [400, '[{"errorCode":"DUPLICATE_VALUE","message":"duplicate value found: Email__c"}]'],
    [400, '{"title":"Member Exists","status":400}'],
    [409, '{"message":"Contact already exists. Existing ID: 1"}'],
    [422, '{"errors":{"email":["has already been taken"]}}'],
    // Django REST framework
    [400, '{"non_field_errors":["The fields email, phone must make a unique set."]}'],
    [400, '{"email":["This field must be unique."]}'],
    [400, '{"email":["Lead with this Email already exists."]}'],
    // Symfony, ASP.NET Identity, Sequelize, Mongoose, Prisma
    [422, '{"violations":[{"propertyPath":"email","message":"This value is already used."}]}'],
    [400, `[{"code":"DuplicateEmail","description":"Email 'a@example.com' is already taken."}]`],
    [400, '{"errors":[{"message":"email must be unique","type":"unique violation"}]}'],
    [400, '{"message":"Error, expected `email` to be unique. Value: `a@example.com`"}'],
    [409, String.raw`{"code":"P2002","message":"Unique constraint failed on the fields: (\`email\`)"}`],
    // PostgreSQL, MySQL, MongoDB, SQL Server, SQLite, Oracle, Hibernate
    [
      409,
      '{"code":"23505","message":"duplicate key value violates unique constraint \\"leads_email_key\\""}',
    ],
    [500, "SQLSTATE[23000]: 1062 Duplicate entry 'a@example.com' for key 'leads.email'"],
    [500, 'E11000 duplicate key error collection: crm.leads index: email_1 dup key'],
    [
      500,
      "Violation of UNIQUE KEY constraint 'UQ_Leads'. Cannot insert duplicate key in object 'dbo.Leads'.",
    ],
    [500, 'UNIQUE constraint failed: leads.email'],
    [500, 'ORA-00001: unique constraint (CRM.LEADS_EMAIL) violated'],
    [500, '{"message":"could not execute statement; SQL [n/a]; constraint [uk_leads_email]"}'],
    // Brevo, Dynamics 365, Zendesk, ping posts
    [400, '{"code":"duplicate_parameter","message":"email is already associated with another Contact"}'],
    [412, '{"error":{"code":"0x80060892","message":"A record with matching key values already exists."}}'],
    [422, '{"description":"Email: a@example.com is already being used by another user"}'],
    [400, '{"status":"error","reason":"duplicate"}'],
    [400, 'Duplicate'],
    [400, '{"error_code":"DUPLICATE_RECORD"}'],
    [400, '<response><status>Duplicate</status></response>'],
    [400, '{"is_duplicate":true}'],
    [422, '{"error":"Lead is a known duplicate"}'],
    [400, '{"error":"No duplicates allowed"}'],
    [400, '{"error":{"code":"RecordAlreadyExists"}}'],
    [409, '{"code":"CONTACT_EXISTS"}'],
    [400, '{"errors":[{"message":"Email has already been used"}]}'],
    [400, '{"errorMessage":"Email already belongs to another lead"}'],
    [400, '{"name":"MongoServerError","code":11000,"keyValue":{"email":"a"}}'],
    [500, 'SQLSTATE[23505]: Unique violation: 7 ERROR'],
    [400, 'could not execute statement; constraint [leads_email_key]'],
    [422, '{"error":"Lead rejected: dupe"}'],
    [400, 'Lead already submitted'],
    [400, '{"message":"We already have this lead"}'],
    [422, '{"errors":["Lead is a duplicate"]}'],
    [409, '{"error":"Lead has been rejected as duplicate"}'],
  ])('with %i does not blame the payload: %s', (status, body) => {
    expect(messageOf(status, body)).toBe(
      `${status}: your endpoint may have this lead already; its answer says more. If so, let it accept duplicates, or answer 200 to them.`,
    )
  })

  it.each([
    [400, '{"duplicate":false,"error":"phone is missing"}'],
    [400, '{"is_duplicate":"false","error":"phone is missing"}'],
    [400, '{"error":"not a duplicate, but phone is missing"}'],
    [400, '{"error":"token used already expired"}'],
    [409, '{"error":"An import is already in progress"}'],
    [500, 'could not execute statement; constraint [leads_list_fkey]'],
    [400, '{"duplicate_data":false,"error":"phone is missing"}'],
    [400, '{"error":"Duplicate key \\"a\\" in JSON object"}'],
    [400, '{"errors":["/tags must NOT have duplicate items"]}'],
    [500, 'relation "leads" already exists'],
    [400, 'insert violates foreign key constraint "leads_list_fkey"'],
    [401, '{"error":"user already exists"}'],
  ])('is not recognised with %i: %s', (status, body) => {
    expect(messageOf(status, body)).not.toContain('have this lead already')
  })
})
