import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { headOf, openLineOfTest } from '../support/speak-http.ts'
import { startApp, type CallResult, type Person, type TestApp } from '../support/start-app.ts'
import { PNG } from './pictures.ts'

let app: TestApp
let owner: Person
beforeAll(async () => {
  app = await startApp()
  owner = await app.newApprovedClient()
})
afterAll(() => app.close())

let name: string
beforeEach(() => {
  name = `${owner.id}/${randomUUID()}.png`
})

const unfinished = async (): Promise<string[]> => {
  try {
    return await readdir(path.join(app.context.config.dataDir, 'files', 'unfinished'))
  } catch {
    return []
  }
}
const countRows = async (): Promise<number> => {
  const { db } = app.context
  const rows = await db.selectFrom('stored_files').select('id').where('name', '=', name).execute()
  return rows.length
}
const call = (
  method: string,
  where: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<CallResult> => app.call(method, `/storage/v1${where}`, { token: owner.token, body, headers })
const put = (body: unknown, headers: Record<string, string> = {}): Promise<CallResult> =>
  call('POST', `/object/evidence/${name}`, body, { 'content-type': 'image/png', ...headers })

/** Stores a file of the product's own, of any type. */
async function givenFile(type: string, bytes: Uint8Array): Promise<void> {
  const { storeFile } = await import('#core/use-cases/files/store-file.ts')
  const pieces = (async function* () {
    yield bytes
  })()
  const given = {
    bucket: 'exports',
    account_id: owner.id,
    name,
    content_type: type,
    bytes: pieces,
    created_by: owner.id,
  }
  await storeFile({ db: app.context.db, files: app.context.files }, { ...given, upsert: false })
}

describe('an upload that cannot be', () => {
  test.each([
    ['climbs', '..%2f..%2fetc%2fpasswd'],
    ['climbs within the folder', 'OWNER/%2e%2e/x.png'],
    ['climbs twice encoded', 'OWNER/%252e%252e/x.png'],
    ['has an empty folder', 'OWNER//x.png'],
    ['ends with a slash', 'OWNER/x/'],
    ['has a dot as its folder', 'OWNER/%2e/x.png'],
    ['has a NUL', 'OWNER/x%00.png'],
    ['has a backslash', 'OWNER/..%5cx.png'],
    ['has a line feed', 'OWNER/x%0a.png'],
    ['has letters beyond ASCII', 'OWNER/%C3%A4.png'],
    ['turns the direction of text', 'OWNER/%E2%80%AEgnp.exe'],
    ['has a wide slash', 'OWNER/%EF%BC%8F..%EF%BC%8Fx'],
    ['is no UTF-8', 'OWNER/%ff.png'],
    ['is too long', `OWNER/${'a'.repeat(1100)}`],
    ['is the folder alone', 'OWNER'],
  ])('is refused if its name %s', async (_what, tricky) => {
    const line = await openLineOfTest(app.url)
    const target = `POST /storage/v1/object/evidence/${tricky.replace('OWNER', owner.id)}`
    const headers = { Authorization: `Bearer ${owner.token}`, 'Content-Type': 'image/png' }
    line.say(headOf(target, { ...headers, 'Content-Length': 0 }))
    expect(await line.hears(400)).toMatch(/InvalidKey|"bad_name"|InvalidMimeType/)
    const rows = await app.context.db.selectFrom('stored_files').select('name').execute()
    expect(rows.filter((row) => !/^[0-9a-f-]{36}\/[0-9a-f-]{36}[\w.-]*$/.test(row.name))).toEqual([])
  })

  test('is refused before its first byte if it declares 5 GB', async () => {
    const line = await openLineOfTest(app.url)
    line.say(headOf(`POST /storage/v1/object/evidence/${name}`, headersOf({ length: 5_000_000_000 })))
    expect(await line.hears(400)).toContain('"statusCode":"413"')
    expect([await countRows(), await unfinished()]).toEqual([0, []])
  })

  test('is refused after its first bytes if it has more than its bucket takes, however it comes', async () => {
    const large = Buffer.concat([PNG, randomBytes(25_000_000)])
    expect((await put(large)).json).toMatchObject({ statusCode: '413' })
    const form = new FormData()
    form.append('', new Blob([large]))
    const sent = await fetch(`${app.url}/storage/v1/object/evidence/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}` },
      body: form,
    })
    expect(await sent.json()).toMatchObject({ statusCode: '413' })
    expect([await countRows(), await unfinished()]).toEqual([0, []])
  })

  test('is refused if its bytes are not what it says', async () => {
    const html = '<!doctype html><script>alert(1)</script>'
    expect((await put(html)).json).toMatchObject({ code: 'InvalidMimeType' })
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    expect((await put(svg)).json).toMatchObject({ code: 'InvalidMimeType' })
    expect((await put(PNG, { 'content-type': 'text/html' })).json).toMatchObject({ Key: `evidence/${name}` })
    const { headers } = await call('GET', `/object/evidence/${name}`)
    expect(headers.get('content-type')).toBe('image/png')
  })

  test.each([
    ['an encoding', PNG, { 'content-encoding': 'gzip' }, 'InvalidRequest'],
    ['metadata that are no object', PNG, { 'x-metadata': 'W10=' }, 'InvalidRequest'],
    ['a form without a boundary', 'x', { 'content-type': 'multipart/form-data' }, 'InvalidRequest'],
    [
      'a form without a file',
      '--b--\r\n',
      { 'content-type': 'multipart/form-data; boundary=b' },
      'InvalidRequest',
    ],
    [
      'a form that breaks off',
      '--b\r\nContent-Disposition: form-data; name=""; filename="a"\r\n\r\nabc',
      { 'content-type': 'multipart/form-data; boundary=b' },
      'Invalid',
    ],
  ])('is refused with %s', async (_what, body, headers, code) => {
    expect((await put(body, headers as Record<string, string>)).json.code).toContain(code)
    expect([await countRows(), await unfinished()]).toEqual([0, []])
  })
})

describe('an upload whose connection is cut', () => {
  test.each(['raw', 'form'])('leaves neither a row nor a temporary file: %s', async (kind) => {
    // The bytes of an import are not looked at, so it is written as it comes.
    name = `${app.admin.id}/${randomUUID()}.csv`
    const line = await openLineOfTest(app.url)
    const type = kind === 'raw' ? 'text/csv' : 'multipart/form-data; boundary=b'
    const headers = { ...headersOf({ type, length: 2_000_000 }), Authorization: `Bearer ${app.admin.token}` }
    line.say(headOf(`POST /storage/v1/object/imports/${name}`, headers))
    if (kind === 'form') line.say('--b\r\nContent-Disposition: form-data; name=""; filename="a"\r\n\r\n')
    line.say('x'.repeat(200_000))
    await expect.poll(unfinished, { timeout: 5000 }).toHaveLength(1)
    line.hangUp()
    await expect.poll(unfinished, { timeout: 5000 }).toEqual([])
    expect(await countRows()).toBe(0)
  })
})

function headersOf({ type = 'image/png', length }: { type?: string; length: number }) {
  return { Authorization: `Bearer ${owner.token}`, 'Content-Type': type, 'Content-Length': length }
}

describe('a download', () => {
  const get = (headers: Record<string, string> = {}, query = ''): Promise<CallResult> =>
    call('GET', `/object/exports/${name}${query}`, undefined, headers)

  test('has the headers of its bytes, and is never run in the browser', async () => {
    await givenFile('text/html', Buffer.from('<script>alert(1)</script>'))
    const { status, headers } = await get()
    expect([status, Object.fromEntries(headers)]).toEqual([
      200,
      expect.objectContaining({
        'content-type': 'text/html; charset=utf-8',
        'content-length': '25',
        'content-disposition': expect.stringContaining('attachment') as string,
        'content-security-policy': expect.stringContaining('sandbox') as string,
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, max-age=3600',
        'accept-ranges': 'bytes',
        etag: expect.stringMatching(/^"[0-9a-f]{64}"$/) as string,
      }),
    ])
    expect((await call('HEAD', `/object/exports/${name}`)).headers.get('content-length')).toBe('25')
  })

  test('is saved under the name of the query, whatever is in it', async () => {
    await givenFile('image/png', PNG)
    expect((await get()).headers.get('content-disposition')).toBeNull()
    const disposition = async (wish: string): Promise<string | null> =>
      (await get({}, `?download=${encodeURIComponent(wish)}`)).headers.get('content-disposition')
    expect(await disposition('')).toContain(path.basename(name))
    expect(await disposition('a"; filename=b.exe')).toBe('attachment; filename="a\\"; filename=b.exe"')
    expect(await disposition('x\r\nSet-Cookie: a=b')).not.toContain('\n')
    expect(await disposition('Zürich.png')).toContain("filename*=UTF-8''Z%C3%BCrich.png")
    expect((await get({}, '?download=a&download=b')).headers.get('content-disposition')).toBe(
      'attachment; filename=a',
    )
  })

  test.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=-20', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=8-20', 206, '89', 'bytes 8-9/10'],
    ['bytes=5-2', 200, '0123456789', null],
    ['bytes=0-1,4-5', 200, '0123456789', null],
    ['rows=0-1', 200, '0123456789', null],
    ['bytes=99999999999999999999-', 416, undefined, 'bytes */10'],
    ['bytes=10-', 416, undefined, 'bytes */10'],
    ['bytes=-0', 416, undefined, 'bytes */10'],
  ])('of %s is answered %i', async (range, status, bytes, contentRange) => {
    await givenFile('text/plain', Buffer.from('0123456789'))
    const got = await get({ range })
    expect([got.status, got.headers.get('content-range')]).toEqual([status, contentRange])
    if (bytes !== undefined) expect(got.text).toBe(bytes)
    else expect(got.json).toMatchObject({ code: 'InvalidRange' })
  })

  test('is not repeated for a reader that has it', async () => {
    await givenFile('text/plain', Buffer.from('0123456789'))
    const { headers } = await get()
    const tag = headers.get('etag') ?? ''
    const changed = headers.get('last-modified') ?? ''
    expect((await get({ 'if-none-match': tag })).status).toBe(304)
    expect((await get({ 'if-none-match': `"x", W/${tag}` })).status).toBe(304)
    expect((await get({ 'if-modified-since': changed })).status).toBe(304)
    expect((await get({ 'if-none-match': '"x"', 'if-modified-since': changed })).status).toBe(200)
    expect((await get({ range: 'bytes=0-1', 'if-range': tag })).status).toBe(206)
    expect((await get({ range: 'bytes=0-1', 'if-range': '"x"' })).status).toBe(200)
  })

  test('of no bytes is empty', async () => {
    await givenFile('text/plain', Buffer.alloc(0))
    expect(await get()).toMatchObject({ status: 200, text: '' })
    expect((await get({ range: 'bytes=0-' })).status).toBe(416)
  })

  test('whose bytes the store has lost is a fault of ours', async () => {
    await givenFile('text/plain', randomBytes(50))
    const { sha256 } = await app.context.db
      .selectFrom('stored_files')
      .select('sha256')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    const hash = sha256.toString('hex')
    await rm(path.join(app.context.config.dataDir, 'files', hash.slice(0, 2), hash.slice(2, 4), hash))
    expect(await get()).toMatchObject({ status: 500, json: { code: 'InternalError' } })
  })
})

describe('a call', () => {
  test.each([
    ['POST', '/object/list/evidence', '{"limit": 100000}'],
    ['POST', '/object/list/evidence', '{"prefix": 5}'],
    ['POST', '/object/list/evidence', '{"prefix": "\\u0000"}'],
    ['POST', '/object/list/evidence', '{"sortBy": {"column": "size"}}'],
    ['POST', '/object/list/evidence', 'no json'],
    ['POST', '/object/list/evidence', '['.repeat(100_000)],
    ['DELETE', '/object/evidence', '{"prefixes": []}'],
    ['POST', '/object/move', '{"bucketId": "evidence"}'],
    ['POST', '/object/sign/evidence', '{"paths": ["a"], "expiresIn": -1}'],
  ])('%s %s is refused with the body %.40s', async (method, where, body) => {
    const { status, json } = await call(method, where, body)
    expect([status, json.code]).toEqual([400, 'InvalidRequest'])
  })

  test.each([
    '/object/list-v2/evidence',
    '/upload/resumable/sign',
    '/render/image/authenticated/evidence/a.png',
    '/s3',
  ])('to %s is refused by name', async (where) => {
    expect((await call('POST', where, {})).json.code).toBe('FeatureNotEnabled')
  })

  test('from another origin may read what the library needs', async () => {
    const { headers } = await app.call('OPTIONS', `/storage/v1/object/evidence/${name}`, {
      headers: { origin: 'https://elsewhere.example.com', 'access-control-request-method': 'PUT' },
    })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    for (const header of ['x-upsert', 'x-metadata', 'Range'])
      expect(headers.get('access-control-allow-headers')).toContain(header)
    expect(headers.get('access-control-expose-headers')).toContain('Content-Range')
  })
})

test('an account sends so many files in a minute', async () => {
  const sender = await app.newApprovedClient()
  for (let sent = 0; sent < 300; sent += 1) await app.context.storage.rates.spend('upload', sender.id)
  const { status, headers, json } = await app.call('POST', `/storage/v1/object/evidence/${sender.id}/a.png`, {
    token: sender.token,
    body: PNG,
  })
  expect([status, json.code]).toEqual([429, 'SlowDown'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})
