import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import packageFile from '../../../package.json' with { type: 'json' }
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'leadwire-web-'))
  await mkdir(path.join(folder, 'assets'))
  await writeFile(path.join(folder, 'index.html'), '<!doctype html><head><title>Leadwire</title></head>')
  await writeFile(path.join(folder, '.preloads.json'), '{"leads":["/assets/leads-abc123.js"],"lead":[]}')
  await writeFile(path.join(folder, 'assets', 'main-abc123.js'), 'export {}')
  await writeFile(path.join(folder, 'assets', 'main-abc123.js.br'), brotliCompressSync('export { br }'))
  await writeFile(path.join(folder, 'assets', 'main-abc123.js.gz'), gzipSync('export { gzip }'))
  await writeFile(path.join(folder, 'assets', 'plain-abc123.js'), 'export { plain }')
  for (const map of ['assets/main-abc123.js.map', 'assets/main-abc123.js.map.br', 'sw.js.map'])
    await writeFile(path.join(folder, map), '{"sources":["web/main.tsx"]}')
  await writeFile(path.join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  app = await startApp({ DEV_MAILBOX: '1' }, folder)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const get = (where: string, headers: Record<string, string> = {}) => app.call('GET', where, { headers })

describe('the web app', () => {
  test.each(['/auth', '/leads', '/leads/01a1fcd9-0000-7000-8000-000000000000', '/client-integrations'])(
    '%s is a screen',
    async (where) => {
      const { status, text, headers } = await get(where)

      expect({ status, cache: headers.get('cache-control') }).toEqual({ status: 200, cache: 'no-cache' })
      expect(text).toContain('<title>Leadwire</title>')
    },
  )

  test('each screen names the files that it needs, and the sign-in names its first requests', async () => {
    const named = async (where: string) => (await get(where)).text.match(/(?<=load".* href=")[^"]*/g)

    expect(await named('/leads')).toEqual(['/assets/leads-abc123.js'])
    expect(await named('/Leads/')).toEqual(['/assets/leads-abc123.js'])
    expect(await named('/auth')).toEqual(['/auth/v1/settings'])
    expect(await named('/orders')).toBeNull()
    expect((await get('/.preloads.json')).status).toBe(404)
  })

  test.each(['/nowhere', '/leads/1/2', '/.env', '/index.php'])('%s is the not-found page', async (where) => {
    const { status, text } = await get(where)

    expect(status).toBe(404)
    expect(text).toContain('<title>Leadwire</title>')
  })

  test('files with a hash are cached for ever, and others are checked again', async () => {
    expect((await get('/assets/main-abc123.js')).headers.get('cache-control')).toContain('immutable')
    expect((await get('/favicon.svg')).headers.get('cache-control')).toBe('no-cache')
    expect((await get('/assets/main-old.js')).status).toBe(404)
  })

  test.each([
    ['main', 'gzip, deflate, br', 'br', 'export { br }'],
    ['main', 'gzip', 'gzip', 'export { gzip }'],
    ['main', 'identity', null, 'export {}'],
    ['plain', 'gzip, br', null, 'export { plain }'],
  ])('%s, for a client that accepts %s, is sent as %s', async (name, accepted, coding, sent) => {
    const { status, headers, text } = await get(`/assets/${name}-abc123.js`, { 'Accept-Encoding': accepted })

    expect({ status, coding: headers.get('content-encoding'), text }).toEqual({
      status: 200,
      coding,
      text: sent,
    })
    expect(headers.get('content-type')).toMatch(/^text\/javascript/)
    expect(headers.get('cache-control')).toContain('immutable')
    expect(headers.get('vary')).toContain('Accept-Encoding')
  })

  test('a compressed file that is written to is not found, with a readable text', async () => {
    const { status, headers, text } = await app.call('POST', '/assets/main-abc123.js', { body: {} })

    expect({ status, coding: headers.get('content-encoding'), text }).toEqual({
      status: 404,
      coding: null,
      text: 'Not found',
    })
  })

  test.each([
    '/assets/main-abc123.js.map',
    '/assets/main-abc123.js.map.br',
    '/assets/main-abc123.js.MAP',
    '/assets/main-abc123.js%2emap',
    '/sw.js.map',
  ])('has no source map at %s, even if the folder contains one', async (where) => {
    const { status, text } = await get(where, { 'Accept-Encoding': 'br' })

    expect({ status, text }).toEqual({ status: 404, text: 'Not found' })
  })

  test('serves no path outside its folder', async () => {
    for (const where of ['/..%2fpackage.json', '/assets/..%2f..%2fpackage.json', '/%2e%2e/package.json']) {
      expect((await get(where)).text).not.toContain('"private"')
    }
  })

  test('accepts only reading requests', async () => {
    const { status, headers } = await app.call('POST', '/dashboard', { body: {} })

    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, HEAD' })
  })
})

describe('every answer', () => {
  test.each(['/api/v1/nothing', '/api/v1/me', '/api/v1/leads.csv', '/api/v1/posting-spec?token=none'])(
    'that refuses GET %s is not cached',
    async (where) => {
      const { status, headers } = await get(where)

      expect({ isRefused: status >= 400, cache: headers.get('cache-control') }).toEqual({
        isRefused: true,
        cache: 'no-store',
      })
    },
  )

  test('has the strict content policy, and no name of the software', async () => {
    const { headers } = await get('/auth')
    const policy = headers.get('content-security-policy') ?? ''

    expect(policy.split(';').toSorted()).toEqual([
      "base-uri 'self'",
      `connect-src 'self' ${app.url.replace('http', 'ws')}`,
      "default-src 'self'",
      "font-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "object-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
    ])
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-powered-by')).toBeNull()
  })

  test.each([
    ['a screen', 'GET', '/auth'],
    ['a file', 'GET', '/favicon.svg'],
    ['a file that is not there', 'GET', '/assets/main-old.js'],
    ['a probe', 'GET', '/healthz'],
    ['the API', 'GET', '/api/v1/openapi.json'],
    ['a refusal of the API', 'GET', '/api/v1/leads'],
    ['a refusal of a lead', 'POST', '/api/v1/leads'],
    ['the authentication service', 'GET', '/auth/v1/settings'],
    ['a preflight', 'OPTIONS', '/functions/v1/security-monitoring'],
    ['an absent door', 'GET', '/rest/v1/leads'],
    ['the queue dashboard', 'GET', '/admin/queues'],
    ['the mailbox', 'GET', '/dev/mailbox'],
    ['a method that is not taken', 'POST', '/dashboard'],
  ])('of %s denies pages all permissions that ours do not use', async (_what, method, where) => {
    const { headers } = await app.call(method, where)
    const policy = headers.get('permissions-policy') ?? ''

    for (const feature of [
      'camera',
      'microphone',
      'geolocation',
      'payment',
      'usb',
      'serial',
      'display-capture',
    ])
      expect(policy.split(', ')).toContain(`${feature}=()`)
    // For copy buttons and passkeys.
    expect(policy).not.toMatch(/clipboard-write|publickey-credentials/)
  })

  test('with the API description has an ETag, under which it is not sent again', async () => {
    const { status, headers } = await app.call('GET', '/api/v1/openapi.json')
    const tag = headers.get('etag') ?? ''
    const again = (known: string) =>
      app.call('GET', '/api/v1/openapi.json', { headers: { 'If-None-Match': known } })

    expect({ status, tag }).toEqual({ status: 200, tag: expect.stringMatching(/^"[\w-]{22}"$/) as string })
    expect(await again(`"other", W/${tag}`)).toMatchObject({ status: 304, text: '' })
    expect((await again('"other"')).status).toBe(200)
  })

  test.each([
    ['gzip, deflate, br', 'gzip'],
    ['br;q=1.0, gzip;q=0.5', 'gzip'],
    ['*', 'gzip'],
    ['gzip;q=0, br', null],
    ['gzip; q=0.0', null],
    ['br', null],
    ['identity', null],
  ])(
    'with the API description, for a client that accepts %s, is compressed as %s',
    async (accepted, coding) => {
      const { headers, json } = await app.call('GET', '/api/v1/openapi.json', {
        headers: { 'Accept-Encoding': accepted },
      })

      expect(headers.get('content-encoding')).toBe(coding)
      expect(headers.get('vary')).toContain('Accept-Encoding')
      expect(json).toMatchObject({ openapi: '3.1.0' })
    },
  )

  test('lets pages connect to the API, even if that has another address', async () => {
    const two = await startApp({ API_URL: 'https://api.example.com' }, folder)
    try {
      const { headers } = await two.call('GET', '/auth')
      expect(headers.get('content-security-policy')).toContain(
        `connect-src 'self' ${two.url.replace('http', 'ws')} https://api.example.com wss://api.example.com;`,
      )
      const { json } = await two.call('GET', '/api/v1/openapi.json')
      expect(json).toMatchObject({ servers: [{ url: 'https://api.example.com' }] })
    } finally {
      await two.close()
    }
  })

  test('has a request id, the caller’s own if it is a plain one', async () => {
    expect((await get('/healthz', { 'X-Request-Id': 'caller-1234' })).headers.get('x-request-id')).toBe(
      'caller-1234',
    )
    expect((await get('/healthz', { 'X-Request-Id': 'a b{}' })).headers.get('x-request-id')).toMatch(
      /^[0-9a-f-]{36}$/,
    )
  })

  test('for an unknown API call is a problem, not a page', async () => {
    for (const where of ['/api/v1/nothing', '/functions/v1/nothing', '/storage/nothing', '/api/v1/%zz']) {
      const { status, headers } = await get(where)
      expect({ where, status, type: headers.get('content-type') }).toMatchObject({
        status: expect.toBeOneOf([400, 404]) as number,
        type: 'application/problem+json; charset=utf-8',
      })
    }
  })
})

describe('the probes', () => {
  test('report liveness and readiness', async () => {
    expect((await get('/healthz')).json).toEqual({ status: 'alive', version: packageFile.version })
    expect((await get('/readyz')).json).toEqual({ status: 'ready', missing: [] })
  })

  test('name the migrations that the database lacks', async () => {
    const { db } = app.context
    await sql`alter table kysely_migration rename to moved_away`.execute(db)
    const { status, json } = await get('/readyz')
    await sql`alter table moved_away rename to kysely_migration`.execute(db)

    expect({ status, missing: json.missing }).toEqual({ status: 503, missing: ['migrations'] })
  })

  test('give metrics by route pattern, only to this machine', async () => {
    await get('/api/v1/leads/01a1fcd9-0000-7000-8000-000000000000')
    const { text } = await get('/metrics')

    expect(text).toContain('http_request_duration_seconds_bucket')
    expect(text).toContain('route="/api/v1/leads/:id"')
    expect(text).not.toContain('01a1fcd9')
    expect((await get('/metrics', { 'X-Forwarded-For': '192.0.2.1' })).status).toBe(403)
  })
})

test('with METRICS_TOKEN set, its bearers read metrics from anywhere, and this machine needs no token', async () => {
  const guarded = await startApp({ METRICS_TOKEN: 'a-long-enough-token' })
  const fromElsewhere = { 'X-Forwarded-For': '192.0.2.1' }
  const read = async (token?: string, headers = fromElsewhere) =>
    (await guarded.call('GET', '/metrics', { token, headers })).status

  expect([await read(), await read('another-long-token')]).toEqual([403, 403])
  expect(await read('a-long-enough-token')).toBe(200)
  expect((await guarded.call('GET', '/metrics')).status).toBe(200)
  await guarded.close()
})

test('without a build, every screen says that the build is missing', async () => {
  const bare = await startApp({}, path.join(folder, 'nothing'))
  const { status, text } = await bare.call('GET', '/auth')

  expect(status).toBe(503)
  expect(text).toContain('npm run build')
  await bare.close()
})
