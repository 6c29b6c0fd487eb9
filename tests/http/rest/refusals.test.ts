import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signServiceToken } from '#server/identity/sign-service-token.ts'
import { PUBLIC_KEY } from '../support/invoke-function.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'
import { openRest, type RestClient } from './open-rest.ts'

/** As text, because the library’s types would parse it. */
const JSON_PATH: string = 'custom_headers->a'

const withNull = (column: string): Record<string, unknown> => ({ webhook_name: 'a', [column]: null })

let app: TestApp
let owner: Person
let client: RestClient
beforeAll(async () => {
  app = await startApp()
  owner = await app.newApprovedClient()
  client = await openRest(app, '2.119', owner)
})
afterAll(() => app.close())

describe('a request for something that is not offered is refused by its name', () => {
  const leads = () => client.from('leads')
  test.each([
    ['an unknown table', () => client.from('profiles').select(), 404, 'PGRST205', "'public.profiles'"],
    [
      'an internal table',
      () => client.from('lead_assignments').select(),
      404,
      'PGRST205',
      'lead_assignments',
    ],
    ['another schema', () => client.schema('auth').from('users').select(), 406, 'PGRST106', 'auth'],
    ['another form', () => leads().select().csv(), 406, 'PGRST107', 'text/csv'],
    ['a plan', () => leads().select().explain(), 406, 'PGRST107', 'plan'],
    ['an unknown function', () => client.rpc('now'), 404, 'PGRST202', 'public.now'],
    [
      'an unknown argument',
      () => client.rpc('assign_lead_to_buyer_concurrent', { lead: 1 }),
      404,
      'PGRST202',
      '(lead)',
    ],
    [
      'a procedure by GET',
      () => client.rpc('assign_lead_to_buyer_concurrent', {}, { get: true }),
      405,
      '25006',
      'read-only',
    ],
    ['an unknown column', () => leads().select('id,price_charged'), 400, '42703', 'leads.price_charged'],
    [
      'a sealed column',
      () => client.from('client_webhook_configs').select('signing_secret'),
      400,
      '42703',
      'signing_secret',
    ],
    [
      'a filter by a sealed column',
      () => client.from('client_webhook_configs').select().eq('client_key', 'x'),
      400,
      '42703',
      'client_key',
    ],
    [
      'an order by a column that is not there',
      () => leads().select().order('phone_hash'),
      400,
      '42703',
      'phone_hash',
    ],
    ['a relationship that is not there', () => leads().select('*, profiles(*)'), 400, 'PGRST200', 'profiles'],
    [
      'a filter on what is not embedded',
      () => leads().select().eq('profiles.id', '1'),
      400,
      'PGRST108',
      'profiles',
    ],
    ['an aggregate', () => leads().select('deal_size.sum()'), 400, 'PGRST123', 'aggregate'],
    ['a count as a column', () => leads().select('count()'), 400, 'PGRST123', 'aggregate'],
    ['a cast', () => leads().select('id::text'), 400, '0A000', 'Casts'],
    ['a new name', () => leads().select('key:id'), 400, '0A000', 'Renaming'],
    [
      'a JSON path',
      () => client.from('client_webhook_configs').select(JSON_PATH),
      400,
      '0A000',
      'JSON paths',
    ],
    ['a JSON path in a filter', () => leads().select().eq('custom->>a', 1), 400, '0A000', 'JSON paths'],
    [
      'a spread',
      () => client.from('webhook_delivery_logs').select('id, ...leads(name)'),
      400,
      '0A000',
      'Spreading',
    ],
    [
      'a hint',
      () => client.from('webhook_delivery_logs').select('id, leads!inner(name)'),
      400,
      '0A000',
      'Hints',
    ],
    ['full-text search', () => leads().select().textSearch('name', 'Rosa'), 400, '0A000', 'fts'],
    ['a regular expression', () => leads().select().filter('name', 'match', '^R'), 400, '0A000', 'match'],
    ['a containment', () => leads().select().contains('name', ['a']), 400, '0A000', 'cs'],
    ['any of many', () => leads().select().likeAnyOf('name', ['a', 'b']), 400, '0A000', 'any'],
    ['upsert', () => leads().upsert({ name: 'Rosa' }).select(), 400, '0A000', 'Upsert'],
    [
      'an unknown operator',
      () => leads().select().filter('id', 'noop', 1),
      400,
      'PGRST100',
      'failed to parse',
    ],
    ['an empty or', () => leads().select().or(''), 400, 'PGRST100', 'failed to parse'],
    ['a value of another type', () => leads().select().eq('id', 'x'), 400, '22P02', 'uuid'],
    ['a pattern for an id', () => leads().select().like('id', 'x'), 404, '42883', 'uuid'],
    ['a new id', () => leads().insert({ id: '00000000-0000-7000-8000-000000000001' }), 400, '428C9', '"id"'],
    ['a column that is not there in a body', () => leads().insert({ price: 1 }), 400, 'PGRST204', "'price'"],
    [
      'a write of a log',
      () => client.from('webhook_delivery_logs').insert({ id: null }),
      403,
      '42501',
      'webhook_delivery_logs',
    ],
    [
      'a change of the balance',
      () => client.from('client_balances').update({ balance: 1 }).eq('balance', 0),
      403,
      '42501',
      'client_balances',
    ],
    ['a deletion of leads', () => leads().delete().eq('name', 'x'), 403, '42501', 'leads'],
    [
      'a change of a lead’s own fields',
      () => leads().update({ name: 'x' }).eq('name', 'y'),
      403,
      '42501',
      '"name"',
    ],
    [
      'a change of everything',
      () => client.from('client_webhook_configs').update({ is_active: false }),
      400,
      '21000',
      'filter',
    ],
    [
      'a deletion of everything',
      () => client.from('client_webhook_configs').delete(),
      400,
      '21000',
      'filter',
    ],
    [
      'an unusable endpoint',
      () => client.from('client_webhook_configs').insert({ webhook_name: 'a', endpoint_url: 'ftp://x' }),
      422,
      'PT422',
      'http',
    ],
    [
      'a missing name',
      () => client.from('client_webhook_configs').insert({ endpoint_url: 'https://crm.example.com' }),
      422,
      'PT422',
      'Webhook Name is required',
    ],
    ...['id', 'client_user_id', 'created_by', 'updated_at'].map(
      (column) =>
        [
          `a row without its ${column}`,
          () => client.from('client_webhook_configs').update(withNull(column)).eq('webhook_name', 'nobody'),
          400,
          '23502',
          `null value in column "${column}" of relation "client_webhook_configs"`,
        ] as const,
    ),
    [
      'another owner',
      () => client.from('client_webhook_configs').insert({ client_user_id: app.admin.id }),
      403,
      '42501',
      'row-level security',
    ],
  ] as const)('%s', async (_what, ask, status, code, message) => {
    const answer = await (ask() as PromiseLike<{
      status: number
      data: unknown
      error: { code: string; message: string } | null
    }>)
    expect(answer).toMatchObject({ status, data: null, error: { code } })
    expect(answer.error?.message).toContain(message)
  })
})

describe('a caller who may not', () => {
  const ask = async (headers: Record<string, string>, method = 'GET') => {
    const { status, text, headers: told } = await app.call(method, '/rest/v1/leads', { headers })
    const body = (text === '' ? {} : JSON.parse(text)) as { code?: string; message?: string }
    return { status, code: body.code, message: body.message, authenticate: told.get('www-authenticate') }
  }

  test('is nobody without a token, and with the app’s public key', async () => {
    const nobody = {
      status: 401,
      code: '42501',
      message: 'permission denied for table leads',
      authenticate: 'Bearer',
    }
    expect(await ask({})).toEqual(nobody)
    expect(await ask({ apikey: PUBLIC_KEY, authorization: `Bearer ${PUBLIC_KEY}` })).toEqual(nobody)
  })

  test('learns that a token is no token, or has expired, or that its session has ended', async () => {
    expect(await ask({ authorization: 'Bearer a.b.c' })).toMatchObject({ status: 401, code: 'PGRST301' })
    const issuer = `${app.url}/auth/v1`
    const old = await signServiceToken(app.context.identity.keys, { issuer, days: 1, now: 1_700_000_000 })
    expect(await ask({ authorization: `Bearer ${old}` })).toMatchObject({
      status: 401,
      code: 'PGRST303',
      message: 'JWT expired',
    })
    const leaver = await app.newClient()
    await app.call('POST', '/auth/v1/logout?scope=local', { token: leaver.token })
    expect(await ask({ authorization: `Bearer ${leaver.token}` })).toMatchObject({
      status: 401,
      code: 'PGRST303',
    })
  })

  test('is the service itself, which has no rows', async () => {
    const now = Math.floor(Date.now() / 1000)
    const key = await signServiceToken(app.context.identity.keys, {
      issuer: `${app.url}/auth/v1`,
      days: 1,
      now,
    })
    expect(await ask({ authorization: `Bearer ${key}` })).toMatchObject({ status: 403, code: '42501' })
  })

  test('gets no 404 by HEAD, which the client library would take for success', async () => {
    const { error, status, count } = await client.from('nowhere').select('*', { count: 'exact', head: true })
    expect({ hasError: error !== null, status, count }).toEqual({ hasError: true, status: 400, count: null })
  })
})

test('a query that takes too long is refused, and the client library does not repeat it', async () => {
  await app.context.db.transaction().execute(async (trx) => {
    await sql`lock table leads in access exclusive mode`.execute(trx)
    const { status, error } = await client.from('leads').select()
    expect({ status, code: error?.code }).toEqual({ status: 400, code: '57014' })
  })
})

test('an administrator is a client here: only rows of the own account', async () => {
  await client.from('leads').insert({ name: 'Somebody’s' })
  const admin = await app.call('GET', '/rest/v1/leads', { token: app.admin.token })
  expect({ status: admin.status, text: admin.text }).toEqual({ status: 200, text: '[]' })
})
