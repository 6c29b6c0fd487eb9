import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PUBLIC_KEY } from '../support/invoke-function.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
const openClient = (url: string) =>
  createClient(url, PUBLIC_KEY, { auth: { persistSession: false, autoRefreshToken: false } })
let client: ReturnType<typeof openClient>
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'leadwire-web-'))
  await writeFile(path.join(folder, 'index.html'), '<!doctype html><title>Leadwire</title>')
  app = await startApp({}, folder)
  client = openClient(app.url)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

/** The error that supabase-js returns for a request for tables. */
const NO_TABLES = {
  data: null,
  count: null,
  status: 406,
  error: {
    code: 'PGRST106',
    message: 'This server shows no tables at /rest/v1.',
    details: null,
    hint: 'Its API is /api/v1, which /api/v1/openapi.json describes.',
  },
}
describe('supabase-js gets a refusal in the form of each of its modules', () => {
  test.each([
    ['select', () => client.from('leads').select()],
    ['one row', () => client.from('leads').select().eq('id', 1).single()],
    ['text', () => client.from('leads').select().csv()],
    ['insert', () => client.from('leads').insert({ name: 'Rosa' })],
    ['upsert', () => client.from('leads').upsert({ id: 1 }).select()],
    ['update', () => client.from('leads').update({ name: 'Rosa' }).eq('id', 1)],
    ['delete', () => client.from('leads').delete().eq('id', 1)],
    ['rpc', () => client.rpc('assign_lead_to_buyer_concurrent', { lead_id_param: 1 })],
    ['rpc by GET', () => client.rpc('now', {}, { get: true })],
    ['another schema', () => client.schema('auth').from('users').select()],
  ] as const)('for tables: %s', async (_what, ask) => {
    expect(await ask()).toMatchObject(NO_TABLES)
  })

  test('for counting rows, which is not mistaken for success', async () => {
    const { error, count, status } = await client.from('leads').select('*', { count: 'exact', head: true })
    expect({ hasError: error !== null, count, status }).toEqual({ hasError: true, count: null, status: 406 })
  })
})

const PLACES = [
  '/rest/v1',
  '/rest/v1/',
  '/rest/v1/leads?select=*',
  '/REST/V1/leads',
  '/rest/v1/rpc/now',
  '/graphql/v1',
]

describe.each(PLACES)('%s', (where) => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    'answers %s in JSON to every origin',
    async (method) => {
      const { status, headers, text } = await app.call(method, where, {
        headers: { accept: 'text/html', origin: 'https://elsewhere.example.com' },
      })
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(Object.keys(JSON.parse(text) as object)).not.toEqual([])
    },
  )

  test('answers the preflight of every request of the client library', async () => {
    const sends =
      'apikey, authorization, x-client-info, content-type, prefer, accept-profile, content-profile, range, x-retry-count, ' +
      'cache-control, x-upsert, x-metadata'
    const { status, headers } = await app.call('OPTIONS', where, {
      headers: {
        origin: 'https://elsewhere.example.com',
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': sends,
      },
    })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-methods')).toContain('PATCH')
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
    expect(allowed).toEqual(expect.arrayContaining(sends.split(', ')))
  })
})

test('the refusal of GraphQL is a list of errors', async () => {
  const { json } = await app.call('POST', '/graphql/v1', { body: { query: '{ leads { id } }' } })
  expect(json).toEqual({
    errors: [
      {
        message: 'This server has no /graphql/v1. Its API is /api/v1, which /api/v1/openapi.json describes.',
        extensions: { code: 'NOT_SUPPORTED' },
      },
    ],
  })
})
