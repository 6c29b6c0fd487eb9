import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readAuditOf } from './read-audit-of.ts'
import { newPersonAt, PUBLIC_KEY } from '../support/invoke-function.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
let client: Person
beforeAll(async () => {
  app = await startApp({ AUTH_RATE_GAP_SECONDS: '0', AUTH_EMAIL_AUTOCONFIRM: '0' })
  client = await newPerson()
})
afterAll(() => app.close())

const newPerson = () => newPersonAt(app)
const auditOf = (userId: string) => readAuditOf(app, userId)

describe('security-monitoring', () => {
  const event = (fields: object = {}) => ({
    id: randomUUID(),
    type: 'login_success',
    timestamp: new Date().toISOString(),
    userAgent: 'Mozilla/5.0',
    url: 'https://app.example.com/auth?code=secret#access_token=secret',
    details: {},
    severity: 'low',
    ...fields,
  })
  const report = (given: object, token?: string) =>
    app.call('POST', '/functions/v1/security-monitoring', { token, body: { event: given } })
  const kept = async (person: Person) => {
    const { json } = await app.call('GET', '/api/v1/me/security-events?limit=100', { token: person.token })
    return json.data as unknown as {
      id: string
      type: string
      details: object
      severity: string
      url: string
    }[]
  }

  test('stores an event for its owner, with the severity of its type', async () => {
    const one = event({
      type: 'suspicious_request',
      severity: 'low',
      details: { path: '/x', by: 'a@example.com', password: 'x' },
    })
    const { status, json } = await report(one, client.token)

    expect({ status, json }).toMatchObject({ status: 200, json: { success: true, error: null } })
    expect(await kept(client)).toEqual([
      expect.objectContaining({
        id: one.id,
        severity: 'high',
        url: 'https://app.example.com/auth',
        details: { path: '/x', by: '…' },
      }),
    ])
  })

  test('shows users only their own events', async () => {
    await report(event(), client.token)

    expect(await kept(await newPerson())).toEqual([])
  })

  test('accepts anonymous events, with the public key, an ended session or no token', async () => {
    const person = await newPerson()
    await app.call('POST', '/auth/v1/logout', { token: person.token })
    for (const token of [undefined, PUBLIC_KEY, person.token]) {
      const one = event({ type: 'session_timeout' })
      expect((await report(one, token)).status).toBe(200)
      const row = await app.context.db
        .selectFrom('auth.security_events')
        .select('user_id')
        .where('id', '=', one.id)
        .executeTakeFirst()
      expect(row).toEqual({ user_id: null })
    }
  })

  test('stores an event once if it is reported twice', async () => {
    const person = await newPerson()
    const one = event()
    await Promise.all(Array.from({ length: 5 }, () => report(one, person.token)))

    expect(await kept(person)).toHaveLength(1)
  })

  test('keeps a user’s newest thousand events', async () => {
    const person = await newPerson()
    await app.context.db
      .insertInto('auth.security_events')
      .values(
        Array.from({ length: 1000 }, (_none, index) => ({
          id: randomUUID(),
          user_id: person.id,
          type: 'logout',
          severity: 'low' as const,
          occurred_at: new Date(),
          received_at: new Date(Date.now() - 3_600_000 - index * 1000),
        })),
      )
      .execute()
    const one = event()
    await report(one, person.token)
    const { rows, newest } = await app.context.db
      .selectFrom('auth.security_events')
      .select('id')
      .where('user_id', '=', person.id)
      .orderBy('received_at', 'desc')
      .execute()
      .then((found) => ({ rows: found.length, newest: found[0]?.id }))

    expect({ rows, newest }).toEqual({ rows: 1000, newest: one.id })
  })

  test.each([
    ['no id', { id: 'x' }],
    ['a type that is no word', { type: 'DROP TABLE' }],
    ['a long text', { details: { a: 'x'.repeat(501) } }],
    [
      'many members',
      { details: Object.fromEntries(Array.from({ length: 21 }, (_none, at) => [`a${at}`, 1])) },
    ],
    ['nested details', { details: { a: { b: 1 } } }],
    ['a detail that nothing could carry', { details: JSON.parse('{"__proto__":"x"}') as object }],
    ['half of a character', { userAgent: 'Browser \ud83d' }],
    ['a time that is none', { timestamp: 'yesterday' }],
  ])('refuses an event with %s', async (_what, fields) => {
    expect((await report(event(fields), client.token)).status).toBe(422)
  })

  test.each([
    ['failed_login', 5],
    ['password_change', 2],
    ['suspicious_request', 10],
  ])('raises one alert for %s × %i in five minutes', async (type, threshold) => {
    const person = await newPerson()
    for (let sent = 1; sent < threshold; sent += 1) await report(event({ type }), person.token)
    expect((await kept(person)).some((one) => one.type === 'security_alert')).toBe(false)
    await Promise.all(Array.from({ length: 4 }, () => report(event({ type }), person.token)))
    const alerts = (await kept(person)).filter((one) => one.type === 'security_alert')

    expect(alerts).toEqual([
      expect.objectContaining({ severity: 'critical', details: { cause: type, threshold } }),
    ])
    const audited = (await auditOf(person.id)).filter(({ action }) => action === 'security_alert')
    expect(audited).toEqual([{ action: 'security_alert', details: { cause: type, threshold } }])
  })

  test('ignores a browser’s alert if the server has raised the same', async () => {
    const person = await newPerson()
    for (let sent = 0; sent < 2; sent += 1) await report(event({ type: 'password_change' }), person.token)
    await report(event({ type: 'security_alert', details: { cause: 'password_change' } }), person.token)

    expect((await kept(person)).filter((one) => one.type === 'security_alert')).toHaveLength(1)
  })

  test('ignores events older than five minutes', async () => {
    const person = await newPerson()
    for (let sent = 0; sent < 4; sent += 1) await report(event({ type: 'failed_login' }), person.token)
    await app.context.db
      .updateTable('auth.security_events')
      .set({ received_at: new Date(Date.now() - 301_000) })
      .where('user_id', '=', person.id)
      .execute()
    await report(event({ type: 'failed_login' }), person.token)

    expect((await kept(person)).some((one) => one.type === 'security_alert')).toBe(false)
  })

  test('raises an alert even if a browser has invented one', async () => {
    const person = await newPerson()
    const made = event({ type: 'security_alert', details: { cause: 'password_change' } })
    await report(made, person.token)
    for (let sent = 0; sent < 2; sent += 1) await report(event({ type: 'password_change' }), person.token)

    expect((await auditOf(person.id)).map(({ action }) => action)).toContain('security_alert')
  })

  test('raises an alert for wrong passwords, even if no browser reported them', async () => {
    const person = await newPerson()
    await Promise.all(
      Array.from({ length: 8 }, () =>
        app.call('POST', '/auth/v1/token?grant_type=password', {
          body: { email: person.email, password: 'Wrong-Lantern-58' },
        }),
      ),
    )
    const alerts = (await kept(person)).filter((one) => one.type === 'security_alert')

    expect(alerts).toEqual([expect.objectContaining({ details: { cause: 'failed_login', threshold: 5 } })])
  })
})
