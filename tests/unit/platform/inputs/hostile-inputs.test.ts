import { expect, test } from 'vitest'
import { cleanText } from '#core/domain/clean-text.ts'
import { refuseTexts } from '#core/domain/refuse-text.ts'
import { SAMPLE_LEAD } from '#core/domain/leads/sample-lead.ts'
import { suggestName } from '#core/domain/suggest-name.ts'
import { redactExchange } from '#core/domain/webhooks/answer/redact-exchange.ts'
import { readLead } from '#core/use-cases/ingest/read-lead.ts'
import { compileTemplate } from '#core/domain/webhooks/template/compile-template.ts'
import { refuseTemplate } from '#core/domain/webhooks/template/check-template.ts'
import { hashPassword, verifyPassword } from '#server/accounts/passwords/hash-password.ts'
import { chooseRedirect } from '#server/accounts/wire/choose-redirect.ts'
import { readForm } from '#server/http/body/read-form.ts'
import { readLines } from '#server/http/body/read-lines.ts'
import { startThreadClock } from '#tests/support/thread-time.ts'

/** Limit of this thread's processor time for inputs that would otherwise block it for seconds. */
const A_MOMENT_MS = 500

function timed<Result>(act: () => Result): Result {
  const threadMs = startThreadClock()
  const result = act()
  expect(threadMs()).toBeLessThan(A_MOMENT_MS)
  return result
}

const template = (inner: string): string => JSON.stringify({ v: `{{${inner}}}` })

test('a name as long as a request is compared quickly', () => {
  expect(
    timed(() =>
      suggestName(
        'a'.repeat(1_000_000),
        Object.keys(SAMPLE_LEAD).map((name) => `${name}_`),
      ),
    ),
  ).toBeUndefined()
})

test('a date in brackets that never close is read quickly', () => {
  const text = template(`created_at | date: YYYY${'['.repeat(64_000)}`)
  expect(timed(() => refuseTemplate(text))).toBeUndefined()
})

test('a zone as long as a template is refused quickly', () => {
  const text = template(`created_at | date: YYYY, A/${'x'.repeat(64_000)}`)
  expect(timed(() => refuseTemplate(text))).toContain('There is no time zone')
})

test('an if of many quotes, commas or bars is refused quickly', () => {
  for (const part of ["',", ",'", "='", '= ', "''", "'a',", 'lead.'])
    expect(
      timed(() => refuseTemplate(template(`name | if: = ${part.repeat(60_000 / part.length)}`))),
    ).toContain('if ')
})

test('a value has at most five formats', () => {
  expect(refuseTemplate(template(`name${' | title'.repeat(5)}`))).toBeUndefined()
  const text = template(`name${' | title'.repeat(6)}`)
  expect(refuseTemplate(text)).toContain('A value takes at most 5 formats')
  expect(compileTemplate(text).unknownPlaceholders).toEqual([`name${' | title'.repeat(6)}`])
})

test('credentials are hidden quickly in headers of many words', () => {
  const words = (header: number): string =>
    Array.from({ length: 450 }, (_, word) => `aaa${String(header * 1000 + word).padStart(5, '0')}`).join(' ')
  const headers = new Map(Array.from({ length: 30 }, (_, header) => [`x-token-${header}`, words(header)]))
  const { requestHeaders, requestBody } = timed(() =>
    redactExchange({
      url: 'https://crm.example.com/',
      requestHeaders: Object.fromEntries(headers),
      requestBody: `{"a":"${words(7)} ${'a'.repeat(256 * 1024)}"}`,
      responseHeaders: {},
      responseBody: 'a'.repeat(16 * 1024),
      message: null,
    }),
  )
  expect(requestHeaders['x-token-7']).toBe('••••7449')
  expect(requestBody.startsWith('{"a":"•••• aaa')).toBe(true)
})

test('nested markup is removed quickly, however deep it is', () => {
  const depth = 1000
  expect(timed(() => cleanText('data'.repeat(depth) + ':'.repeat(depth)))).toBe('')
})

test('empty lines are skipped quickly, and counted', () => {
  const empty = '\r\n \t\n'.repeat(1_000_000)
  expect(timed(() => readLines(Buffer.from(`${empty}{}\n\n7x`), { deepest: 64, values: 100 }, 10))).toEqual([
    {},
    { message: 'Line 2000003 is not valid JSON' },
  ])
})

test('a form has at most a thousand fields', () => {
  expect(
    Object.keys(readForm(Buffer.from(Array.from({ length: 1000 }, (_, at) => `a${at}`).join('&')))),
  ).toHaveLength(1000)
  expect(() => timed(() => readForm(Buffer.from('a&'.repeat(500_000))))).toThrow('more than 1,000 fields')
})

test('a password of combining marks is not normalised', async () => {
  const password = `a${'\u0316\u0301'.repeat(100_000)}`
  const threadMs = startThreadClock()
  const cost = { memory: 64, passes: 1, parallelism: 1 }
  const hash = await hashPassword(password, cost)
  expect(await verifyPassword(password, hash, cost)).toBe(true)
  expect(threadMs()).toBeLessThan(A_MOMENT_MS * 4)
})

test('the texts of millions of members are checked without building a path for each', () => {
  const given = [{ custom: Array.from({ length: 2_400_000 }, () => 1) }, ['\0']]
  expect(timed(() => refuseTexts(given))).toEqual([
    { path: '1.0', message: 'Must not contain a NUL character' },
  ])
})

test('a lead of a hundred thousand fields is read for its known fields and the first thousand others', () => {
  const unknown = Array.from({ length: 300_000 }, (_, at) => [`no field ${at}`, 1] as const)
  const given = Object.fromEntries(unknown)
  const lead = { lead_type: 'life', name: 'Ada Example', email: 'ada@example.com' }
  const cut = 'Was left out, but for its first 1,000 fields'
  for (const [crowded, path] of [
    [{ ...given, ...lead }, ''],
    [{ ...lead, custom: given }, 'custom'],
    [{ ...lead, utm: given }, 'utm'],
  ] as const) {
    const reading = timed(() => readLead(crowded, new Date()))
    expect(reading).toMatchObject({ ok: true, lead: { name: 'Ada Example' } })
    expect(reading.ok && reading.warnings[0]).toEqual({ path, message: cut })
    expect(reading.ok && Object.keys({ ...reading.lead.custom, ...reading.lead.utm })).toHaveLength(100)
  }
  const listed = { ...lead, city: Array.from({ length: 300_000 }, () => 'Fresno'), list: Object.keys(given) }
  expect(timed(() => readLead(listed, new Date()))).toMatchObject({ ok: true, lead: { city: 'Fresno' } })
})

test('a path that is longer than any real one is answered by the app itself', () => {
  const rules = { siteUrl: 'https://app.example.com', allowed: ['https://x.example.com/**a**b**c'] }
  const wanted = `https://x.example.com/${'ab'.repeat(100_000)}`
  expect(timed(() => chooseRedirect(wanted, rules))).toBe('https://app.example.com')
})
