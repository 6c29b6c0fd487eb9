import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { IMPORT_LIMITS } from '#core/contract/imports/lead-import.ts'
import { startApp, type TestApp, type TestSource } from '../support/start-app.ts'
import { openImports } from './import-app.ts'

const TEXT = 'name,email\nRosa Example,rosa@example.com\n'
const GOOD = { mapping: ['name', 'email'], constants: { lead_type: 'final_expense' } }
let app: TestApp
let source: TestSource
let imports: ReturnType<typeof openImports>
beforeAll(async () => {
  app = await startApp({ IMPORT_MAX_BYTES: '10000000' })
  imports = openImports(app)
  source = await app.newSource()
})
afterAll(() => app.close())

describe('an import is refused', () => {
  test.each([
    [{ size: 10_000_001 }, 'size', 'The file is too large (at most 9 MB)'],
    [{ size: 0 }, 'size', 'The file is empty'],
    [{ size: '12' }, 'size', 'Must be the number of bytes'],
    [
      { source_id: '01900000-0000-7000-8000-000000000000' },
      'source_id',
      'There is no such source, or it was revoked',
    ],
    [{ source_id: 'x' }, 'source_id', 'Choose a source'],
    [{ file_name: ' ' }, 'file_name', 'The file has no name'],
    [{ encoding: 'ebcdic' }, 'encoding', /utf-8/],
    [{ delimiter: ':' }, 'delimiter', /;/],
    [{ header: 0 }, 'header', 'Rows count from 1'],
    [{ header: '3' }, 'header', 'Must be the number of a row'],
    [{ path: '/etc/passwd' }, 'path', /no such field/],
  ])('for %j', async (fields, path, message) => {
    const { status, json } = await imports.begin(source.id, 100, fields)
    expect(status).toBe(422)
    expect(json.errors.map((error) => error.path)).toEqual([path])
    expect(json.errors[0]?.message).toMatch(message)
  })

  test('for a source that was revoked, even during the import; leads made by then stay', async () => {
    const revoked = await app.newSource()
    const file = await imports.ready(revoked.id, TEXT)
    const running = await imports.ready(revoked.id, TEXT)
    await imports.call('POST', `/${running.id}/start`, GOOD)
    await app.call('DELETE', `/api/v1/admin/sources/${revoked.id}`, { token: app.admin.token })
    expect((await imports.call('POST', `/${file.id}/start`, GOOD)).status).toBe(409)
    expect((await imports.begin(revoked.id, 10)).json.errors[0]?.path).toBe('source_id')
    await imports.takeAll()
    expect(await imports.show(running.id)).toMatchObject({
      state: 'failed',
      failure: { code: 'source_revoked', sentence: 'The source was revoked. What had become leads stays.' },
    })
  })

  test('for a source whose client is suspended, even during the import', async () => {
    const owner = await app.newClient()
    const theirs = await app.newSource({ owner })
    const file = await imports.ready(theirs.id, TEXT)
    const running = await imports.ready(theirs.id, TEXT)
    await imports.call('POST', `/${running.id}/start`, GOOD)
    await app.call('POST', `/api/v1/admin/clients/${owner.id}/suspend`, {
      token: app.admin.token,
      body: { reason: 'Card was stolen' },
    })
    const refused = await imports.call('POST', `/${file.id}/start`, GOOD)
    expect([refused.status, refused.json.detail]).toEqual([
      409,
      'The client of this import is suspended. Resume the account first.',
    ])
    await imports.takeAll()
    expect(await imports.show(running.id)).toMatchObject({
      state: 'failed',
      accepted: 0,
      failure: { code: 'client_suspended', sentence: expect.stringMatching(/is suspended/) as unknown },
    })
  })
})

describe('bytes', () => {
  test('are refused if they are missing, of another type, too many at once or above the announced size', async () => {
    const { id } = (await imports.begin(source.id, 10)).json
    expect((await imports.upload(id, 0, Buffer.alloc(0))).status).toBe(422)
    expect((await imports.upload(id, -1, Buffer.from('a'))).status).toBe(422)
    for (const [at, status] of [
      [2_000_000_000, 409],
      [2_147_483_645, 422],
      [99_999_999_999, 422],
    ] as const)
      expect((await imports.upload(id, at, Buffer.from('a'))).status).toBe(status)
    expect((await imports.upload(id, 0, Buffer.from('a'), 'text/html')).status).toBe(415)
    expect((await imports.upload(id, 0, Buffer.alloc(IMPORT_LIMITS.part + 1))).status).toBe(413)
    expect((await imports.upload(id, 0, Buffer.alloc(11))).json).toMatchObject({
      status: 409,
      detail: 'The import has 0 of 10 bytes and goes on there; these do not fit.',
    })
    expect(await imports.show(id)).toMatchObject({ state: 'uploading', received: 0 })
  })

  test('that arrive twice at the same moment are accepted once', async () => {
    const { id } = (await imports.begin(source.id, 6)).json
    const both = await Promise.all([1, 2, 3].map(() => imports.upload(id, 0, Buffer.from('a,b'))))
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    expect(await imports.show(id)).toMatchObject({ received: 3 })
  })

  test.each([
    ['PK\u0003\u0004 a workbook', 'workbook', /^This is a workbook/],
    ['name,email\n', 'no_rows', /^The file has no rows below/],
    ['name\nRosa\n"Rosa\n', 'quote_not_closed', /^Row 3: A quotation begins/],
    ['Rosa,rosa@example.com\n', 'no_header', /^Row 1: It should name the columns/],
    [`name\n${','.repeat(300)}`, 'too_many_columns', /^Row 2: It has more than 300 cells/],
  ])('that contain %j fail, and nothing of them is kept', async (text, code, sentence) => {
    const failed = await imports.ready(source.id, text)
    expect(failed).toMatchObject({ state: 'failed', columns: [], failure: { code } })
    expect(failed.failure?.sentence).toMatch(sentence)
    expect(JSON.stringify(failed)).not.toContain('rosa@')
  })
})

describe('columns', () => {
  const manyExtras = Object.fromEntries(
    Array.from({ length: 102 }, (_, at): [string, string] => [
      at % 2 === 0 ? `custom.a${at}` : `utm_b${at}`,
      'x',
    ]),
  )
  test.each([
    [{ mapping: ['name'] }, [['mapping', 'Must say of each of the 2 columns what it is']]],
    [{ mapping: ['name', 'name'] }, [['mapping.1', 'Is given twice']]],
    [{ mapping: ['name', 'password'] }, [['mapping.1', 'Is no field of a lead']]],
    [{ mapping: ['name', 'custom'] }, [['mapping.1', 'Is no field of a lead']]],
    [{ mapping: ['name', 'custom.__proto__'] }, [['mapping.1', 'Is no field of a lead']]],
    [
      { mapping: ['name', 'email'], constants: {} },
      [['mapping', 'A lead type is required: a column, or one for every row']],
    ],
    [
      { mapping: ['', 'utm_source'] },
      [
        ['mapping', 'A name is required'],
        ['mapping', 'A phone number or an e-mail address is required'],
      ],
    ],
    [
      { mapping: ['name', 'email'], constants: { lead_type: 'x', email: 'a@example.com' } },
      [['constants.email', 'Is given twice']],
    ],
    [
      { mapping: ['name', 'email'], constants: { lead_type: 'x', ...manyExtras } },
      [['mapping', 'Holds more than 100 fields of its own and of utm together']],
    ],
    [
      { mapping: ['name', 'email'], constants: { lead_type: '\0' } },
      [['constants.lead_type', 'Must not contain a NUL character']],
    ],
  ])('cannot be mapped as %j', async (fields, faults) => {
    const { id } = await imports.ready(source.id, TEXT)
    for (const step of ['preview', 'start']) {
      const { status, json } = await imports.call('POST', `/${id}/${step}`, { ...GOOD, ...fields })
      expect(status).toBe(422)
      for (const [path, message] of faults) expect(json.errors).toContainEqual({ path, message })
    }
  })
})

test('each step happens once, and only after the one before', async () => {
  const { id } = (await imports.begin(source.id, TEXT.length)).json
  const status = async (step: string, body: unknown = GOOD) =>
    (await imports.call('POST', `/${id}/${step}`, body)).status
  expect([await status('preview'), await status('start')]).toEqual([409, 409])
  await imports.upload(id, 0, Buffer.from(TEXT))
  await imports.read()
  expect((await imports.upload(id, TEXT.length, Buffer.from('x'))).status).toBe(409)
  const starts = await Promise.all([1, 2, 3].map(() => status('start')))
  expect(starts.toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  await imports.takeAll()
  expect([await status('cancel', undefined), await status('start')]).toEqual([409, 409])
  expect(await imports.show(id)).toMatchObject({ state: 'finished', accepted: 1 })
})

test('only administrators can use imports, and a missing import is not found', async () => {
  const [client, owned] = [await app.newClient(), await imports.ready(source.id, TEXT)]
  const calls = [
    ['GET', ''],
    ['POST', ''],
    ...[owned.id, '01900000-0000-7000-8000-000000000000'].flatMap((id) => [
      ['GET', `/${id}`],
      ['POST', `/${id}/bytes?at=0`],
      ['GET', `/${id}/rows`],
      ['POST', `/${id}/preview`],
      ['POST', `/${id}/start`],
      ['POST', `/${id}/cancel`],
      ['GET', `/${id}/refused.csv`],
    ]),
  ] as const
  for (const [method = '', path = ''] of calls) {
    for (const [token, refused] of [
      [client.token, 403],
      [source.key, 401],
      [undefined, 401],
    ] as const)
      expect((await imports.call(method, path, undefined, { token })).status, path).toBe(refused)
    if (!path.startsWith('/0190')) continue
    const body = path.includes('bytes') ? Buffer.from('x') : path.endsWith('cancel') ? undefined : GOOD
    const headers = path.includes('bytes') ? { 'content-type': 'application/octet-stream' } : {}
    expect(
      (await imports.call(method, path, method === 'GET' ? undefined : body, { headers })).status,
      path,
    ).toBe(404)
  }
})
