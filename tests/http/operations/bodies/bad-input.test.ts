import { randomUUID } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { recogniseError } from '#server/http/errors/recognise-error.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { startApp, type TestApp } from '../../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Sends the same body to the API and to the authentication service. */
async function sendToBoth(body: string | Uint8Array, headers: Record<string, string> = {}) {
  const [api, wire] = await Promise.all([
    app.call('POST', '/functions/v1/security-monitoring', { body, headers }),
    app.call('POST', '/auth/v1/signup', {
      body,
      headers: { 'X-Supabase-Api-Version': '2024-01-01', ...headers },
    }),
  ])
  return {
    api: { status: api.status, code: api.json.code, says: api.json.detail },
    wire: { status: wire.status, code: wire.json.code, says: wire.json.message },
  }
}

const UNREADABLE = {
  api: { status: 400, code: 'malformed_body', says: 'The body could not be read to its end.' },
  wire: {
    status: 400,
    code: 'bad_json',
    says: 'Could not parse request body as JSON: the body could not be read',
  },
}
const badJson = (says: string) => ({
  api: { status: 400, code: 'malformed_body', says },
  wire: { status: 400, code: 'bad_json', says: 'Could not parse request body as JSON: invalid JSON' },
})
describe('the API and the authentication service refuse, each in its own form,', () => {
  test('a body above their limit', async () => {
    expect(await sendToBoth(JSON.stringify({ data: 'x'.repeat(1_048_576) }))).toEqual({
      api: { status: 413, code: 'body_too_large', says: 'The body is larger than this call accepts.' },
      wire: {
        status: 413,
        code: 'request_entity_too_large',
        says: 'Request body too large (max 1048576 bytes)',
      },
    })
  })

  test('an unknown encoding', async () => {
    const { api, wire } = await sendToBoth('{}', { 'content-encoding': 'zip' })

    expect(api).toEqual({
      status: 415,
      code: 'unsupported_media_type',
      says: 'The content encoding of the body is not supported.',
    })
    expect(wire).toEqual(UNREADABLE.wire)
  })

  test('a body that is not compressed although it says so', async () => {
    expect(await sendToBoth('{}', { 'content-encoding': 'gzip' })).toEqual(UNREADABLE)
  })

  test('a body that is not UTF-8', async () => {
    expect(await sendToBoth(new Uint8Array([0x22, 0xff, 0x22]))).toEqual(
      badJson('The body is not UTF-8 text.'),
    )
  })

  test('a body that is not JSON', async () => {
    expect(await sendToBoth('{"event":')).toEqual(badJson('The body is not valid JSON.'))
  })

  test('JSON that is nested too deeply', async () => {
    const levels = 100_000
    expect(await sendToBoth('['.repeat(levels) + ']'.repeat(levels))).toEqual(
      badJson('The JSON is nested deeper than 64 levels.'),
    )
  })

  test('JSON with too many values, before it is parsed', async () => {
    const many = (values: number) => JSON.stringify({ data: Array.from({ length: values }, () => 0) })
    expect(await sendToBoth(many(50_000))).toEqual(badJson('The JSON has more than 50,000 values.'))
    expect((await sendToBoth(many(49_000))).api.says).not.toContain('The JSON has more than 50,000 values.')
    // The authentication service gives a shorter reason.
    expect((await sendToBoth(many(11_000))).wire.says).toContain('invalid JSON')
    expect((await sendToBoth(many(10_000))).wire.says).not.toContain('invalid JSON')
  })

  test('account data that is nested too deeply to be stored', async () => {
    const data = `${'{"a":'.repeat(9990)}1${'}'.repeat(9990)}`
    const body = `{"email":"${randomUUID()}@example.com","password":"${PASSWORD}","data":${data}}`
    const headers = { 'X-Supabase-Api-Version': '2024-01-01' }
    const { status, json } = await app.call('POST', '/auth/v1/signup', { body, headers })
    expect({ status, says: json.message }).toEqual({
      status: 400,
      says: 'User data is too large (max 4096 bytes)',
    })
  })

  test.each([
    ['a NUL', '\u0000', 'Must not contain a NUL character'],
    [
      'half of a character',
      '\ud800',
      'Must be UTF-8: it holds half of a character, or bytes of another encoding',
    ],
  ])('%s, and name its place', async (_what, text, reason) => {
    const event = {
      id: randomUUID(),
      type: 'login_failed',
      timestamp: new Date().toISOString(),
      userAgent: 'Browser',
      url: 'https://example.com/',
      details: { note: text },
      severity: 'low',
    }
    const account = { email: `${randomUUID()}@example.com`, password: PASSWORD, data: { a: text } }
    const { wire } = await sendToBoth(JSON.stringify({ ...account, event }))
    const { status, json } = await app.call('POST', '/functions/v1/security-monitoring', { body: { event } })

    expect(wire).toEqual({
      status: 400,
      code: 'validation_failed',
      says: `The request contains characters that cannot be stored (a: ${reason})`,
    })
    expect({ status, code: json.code, errors: json.errors }).toEqual({
      status: 422,
      code: 'validation_failed',
      errors: [{ path: 'event.details.note', message: reason }],
    })
  })

  test('a path with escapes that are not UTF-8', async () => {
    const api = await app.call('GET', '/api/v1/leads/%ff', { token: app.admin.token })
    const wire = await app.call('POST', '/auth/v1/factors/%ff/verify', { token: app.admin.token })

    expect({ status: api.status, code: api.json.code }).toEqual({ status: 404, code: 'not_found' })
    expect({ status: wire.status, code: wire.headers.get('x-sb-error-code') }).toEqual({
      status: 404,
      code: 'not_found',
    })
  })
})

describe('an error of the database', () => {
  const thrownBy = (statement: RawBuilder<unknown>) =>
    statement.execute(app.context.db).then(
      () => undefined,
      (error: unknown) => error,
    )

  test.each([
    ['a NUL in text', sql`select ${'\u0000'}::text`],
    ['a NUL in jsonb', sql`select ${JSON.stringify('\u0000')}::jsonb`],
    ['half of a character in jsonb', sql`select ${JSON.stringify('\ud800')}::jsonb`],
    ['text that is no value of its type', sql`select ${'soon'}::uuid`],
  ])('about %s is reported as a fault of the request', async (_what, statement) => {
    expect(recogniseError(await thrownBy(statement))).toBe('unstorable_text')
  })

  test('about the statement is reported as our fault', async () => {
    expect(recogniseError(await thrownBy(sql`select 1 / 0`))).toBe('unknown')
    expect(recogniseError(await thrownBy(sql`select * from nowhere`))).toBe('unknown')
  })

  test('about a missing server is reported as a missing database', async () => {
    const { db, close } = openDatabase(
      { url: 'postgres://nobody@127.0.0.1:1/nothing', poolSize: 1, name: 'away' },
      () => undefined,
    )
    const error = await sql`select 1`.execute(db).catch((error_: unknown) => error_)
    await close()

    expect(recogniseError(error)).toBe('database_away')
  })
})
