import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'leadwire-web-'))
  await writeFile(path.join(folder, 'index.html'), '<!doctype html><title>Leadwire</title>')
  app = await startApp({}, folder)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

/** Places of the client library's services, the status of their preflights, and the members of a refusal. */
const REST = { preflight: 200, members: ['code', 'message', 'details', 'hint'] }
const PLACES = [
  ['/graphql/v1', { preflight: 204, members: ['errors'] }],
  ['/rest/v1', REST],
  ['/rest/v1/', REST],
  ['/rest/v1/leads?select=*', REST],
  ['/REST/V1/leads', REST],
  ['/rest/v1/rpc/now', REST],
  ['/rest/v1/a/b/c', REST],
] as const

describe.each(PLACES)('%s', (where, { preflight, members }) => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    'answers %s of nobody in JSON to every origin',
    async (method) => {
      const { status, headers, text } = await app.call(method, where, {
        headers: { accept: 'text/html', origin: 'https://elsewhere.example.com' },
      })
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-expose-headers')).toContain('Content-Range')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(Object.keys(JSON.parse(text) as object)).toEqual(members)
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
    expect(status).toBe(preflight)
    expect(headers.get('access-control-allow-methods')).toContain('PATCH')
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
    expect(allowed).toEqual(expect.arrayContaining(sends.split(', ')))
  })
})

test.each([
  ['client_webhook_configs', 200, 'OPTIONS,GET,HEAD,POST,PATCH,DELETE'],
  ['leads', 200, 'OPTIONS,GET,HEAD,POST,PATCH'],
  ['webhook_delivery_logs', 200, 'OPTIONS,GET,HEAD'],
  ['rpc/assign_lead_to_buyer_concurrent', 200, 'OPTIONS,POST'],
  ['nowhere', 404, null],
  ['rpc/now', 404, null],
])('OPTIONS of /rest/v1/%s without a preflight is %i with its methods', async (name, status, allow) => {
  const answer = await app.call('OPTIONS', `/rest/v1/${name}`)
  expect({ status: answer.status, allow: answer.headers.get('allow') }).toEqual({ status, allow })
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
