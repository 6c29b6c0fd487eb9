import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { leadSummarySchema } from '#core/contract/leads/lead.ts'
import { fileLinkSchema } from '#core/contract/files/file-link.ts'
import { importPreviewSchema, importRowsSchema } from '#core/contract/imports/lead-import.ts'
import { findImportFile } from '#core/data/imports/import-files.ts'
import { emptyImports } from '#core/data/imports/empty-imports.ts'
import { newLead, startApp, type TestApp } from '../support/start-app.ts'
import { readAudit } from '../market/read-audit.ts'
import { openImports } from './import-app.ts'

let app: TestApp
let imports: ReturnType<typeof openImports>
beforeAll(async () => {
  app = await startApp()
  imports = openImports(app)
})
afterAll(() => app.close())

const FILE = [
  'Lead ID;First Name;Last Name;E-Mail;Phone;State;Notes',
  'imp-1;José;Example;JOSE@example.com;(202) 555-0143;california;=cmd|calc',
  'imp-2;Rosa;Example;;202-555-0144;CA;',
  'imp-3;Rosa;Example;not an address;12;Atlantis;',
  ';;;;;;',
  'imp-1;José;Again;jose@example.com;;TX;twice in the file',
  'crm-known;Known;Example;known@example.com;;TX;sent before',
  'imp-4;Only;"Too',
  'long";x@example.com;;NV;;more',
  'imp-5;Late;Example;late@example.com;;NV;"two\nlines"',
  '',
].join('\r\n')
const LINK: unknown = expect.stringContaining('/storage/v1/object/sign/imports/')
const MAPPING = ['external_id', 'first_name', 'last_name', 'email', 'phone', 'state', 'custom.notes']
const mapped = { mapping: MAPPING, constants: { lead_type: 'final_expense' } }

describe('a file of leads', () => {
  test('is received in parts, previewed, and imported as leads of its source’s client; refused rows are reported', async () => {
    const client = await app.newClient()
    const source = await app.newSource({ owner: client })
    const known = newLead({ external_id: 'crm-known' })
    await app.call('POST', '/api/v1/leads', { token: source.key, body: known })
    const bytes = Buffer.from(FILE, 'latin1')
    const { id } = (await imports.begin(source.id, bytes.length)).json
    for (let at = 0; at < bytes.length; at += 100) {
      expect((await imports.upload(id, at, bytes.subarray(at, at + 100))).status).toBe(200)
      expect((await imports.upload(id, at, bytes.subarray(at, at + 100))).status).toBe(409)
    }
    expect(await imports.show(id)).toMatchObject({ state: 'reading', received: bytes.length, columns: [] })
    await imports.read()
    const ready = await imports.show(id)
    expect(ready).toMatchObject({
      state: 'ready',
      encoding: 'windows-1252',
      delimiter: ';',
      header: 1,
      suggested_encoding: null,
      rows: 7,
      columns: ['Lead ID', 'First Name', 'Last Name', 'E-Mail', 'Phone', 'State', 'Notes'],
      owner_user_id: client.id,
    })

    const { json: first } = await imports.call('GET', `/${id}/rows`)
    expect(first).toMatchObject({
      rows: [{ row: 2 }, { row: 3 }, { row: 4 }, { row: 6 }, {}, {}, { row: 9 }],
    })
    const preview = importPreviewSchema.parse((await imports.call('POST', `/${id}/preview`, mapped)).json)
    expect(preview.rows[0]).toEqual({
      row: 2,
      cells: ['imp-1', 'José', 'Example', 'JOSE@example.com', '(202) 555-0143', 'california', '=cmd|calc'],
      lead: {
        external_id: 'imp-1',
        lead_type: 'final_expense',
        name: 'José Example',
        first_name: 'José',
        last_name: 'Example',
        email: 'jose@example.com',
        phone: '+12025550143',
        state: 'CA',
        'custom.notes': '=cmd|calc',
      },
      errors: [],
    })
    expect(preview.rows[2]?.errors.map(({ path }) => path)).toEqual(['email', 'phone', 'state'])

    expect((await imports.call('POST', `/${id}/start`, mapped)).json).toMatchObject({ state: 'running' })
    await imports.takeAll()
    const finished = await imports.show(id)
    expect(finished).toMatchObject({ state: 'finished', taken: 7, accepted: 3, duplicates: 2, refused: 2 })

    const { json } = await app.call('GET', '/api/v1/leads?sort=name', { token: client.token })
    const leads = z.array(leadSummarySchema).parse(json.data)
    expect(leads.map(({ name }) => name)).toEqual([
      'José Example',
      'Late Example',
      'Rosa Example',
      'Rosa Example',
    ])
    expect(leads[0]).toMatchObject({ phone: '+12025550143', state: 'CA', source: 'Landing page' })

    const report = await imports.call('GET', `/${id}/refused.csv`)
    expect(report.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(report.text.split('\r\n').slice(0, 5)).toEqual([
      'Row,Result,Reason,Lead ID,First Name,Last Name,E-Mail,Phone,State,Notes',
      '4,refused,E-Mail: Is not a valid e-mail address; Phone: Is not a valid phone number; State: State must be a US state or territory code,imp-3,Rosa,Example,not an address,12,Atlantis,',
      '6,duplicate,Lead ID: The source has sent a lead with this id before,imp-1,José,Again,jose@example.com,,TX,twice in the file',
      '7,duplicate,Lead ID: The source has sent a lead with this id before,crm-known,Known,Example,known@example.com,,TX,sent before',
      '8,refused,Has more cells than there are columns,imp-4,Only,"Too',
    ])
    expect(finished.has_file).toBe(true)
    const opened = await imports.call('POST', `/${id}/file/open`)
    expect(opened).toMatchObject({ status: 200, json: { url: LINK } })
    const kept = await findImportFile(app.context.db, id)
    expect(kept).toMatchObject({ bucket: 'imports', name: `${app.admin.id}/${id}.csv` })
    // The URL of the audited call is the only way to the file, also for its administrator.
    const asked = { headers: { authorization: `Bearer ${app.admin.token}` } }
    const direct = await fetch(`${app.url}/storage/v1/object/imports/${kept?.name ?? ''}`, asked)
    expect(await direct.json()).toMatchObject({ code: 'NoSuchKey' })
    const linked = await fetch(`${app.url}${fileLinkSchema.parse(opened.json).url}`)
    expect(Buffer.from(await linked.arrayBuffer()).equals(bytes)).toBe(true)

    // The corrected report can be imported itself: its extra columns are ignored.
    const again = await imports.ready(source.id, report.text)
    expect(again).toMatchObject({ encoding: 'utf-8', delimiter: ',', rows: 4 })

    const audits = await Promise.all(
      ['leads_import_started', 'leads_import_report_read', 'leads_import_file_read'].map((action) =>
        readAudit(app, action, client.id),
      ),
    )
    expect(audits.map(([entry]) => entry?.details)).toEqual([
      { import_id: id, source_id: source.id, rows: 7 },
      { import_id: id, source_id: source.id, duplicates: 2, refused: 2 },
      { import_id: id, source_id: source.id },
    ])
    expect(JSON.stringify(audits)).not.toMatch(/example\.com|Jos/)
  })

  test('of a source without a client goes to the market, or becomes tests if the source is in test mode', async () => {
    const source = await app.newSource({ auto_assign: true })
    const text = 'name,email,type\nRosa Example,rosa@example.com,final_expense\n'
    const whole = { mapping: ['name', 'email', 'lead_type'], constants: {} }
    const first = await imports.ready(source.id, text)
    await imports.call('POST', `/${first.id}/start`, whole)
    await imports.takeAll()
    await app.context.db.updateTable('sources').set({ test_mode: true }).where('id', '=', source.id).execute()
    const second = await imports.ready(source.id, text)
    await imports.call('POST', `/${second.id}/start`, whole)
    await imports.takeAll()

    const stored = await app.context.db
      .selectFrom('leads')
      .select(['id', 'is_test'])
      .where('source_id', '=', source.id)
      .orderBy('id')
      .execute()
    expect(stored.map(({ is_test }) => is_test)).toEqual([false, true])
    const offered = await app.context.db
      .selectFrom('events')
      .select('lead_id')
      .where('type', '=', 'lead.offered')
      .execute()
    expect(offered).toEqual([{ lead_id: stored[0]?.id }])
  })
})

describe('the reading of a file', () => {
  const TITLED = 'Leads of spring,,\nJos\x8e,2026,May\nName,E-Mail,State\nJos\x8e,jose@example.com,CA\n'

  test('detects the header row and the encoding, or uses those that an administrator chooses', async () => {
    const source = await app.newSource()
    const bytes = Buffer.from(TITLED, 'latin1')
    const found = await imports.ready(source.id, bytes)
    expect(found).toMatchObject({
      encoding: 'windows-1252',
      suggested_encoding: 'macintosh',
      header: 2,
      columns: ['JosŽ', '2026', 'May'],
    })
    const { json } = await imports.call('GET', `/${found.id}/rows`)
    expect(importRowsSchema.parse(json).head).toEqual([
      { row: 1, text: 'Leads of spring |  | ' },
      { row: 2, text: 'JosŽ | 2026 | May' },
      { row: 3, text: 'Name | E-Mail | State' },
      { row: 4, text: 'JosŽ | jose@example.com | CA' },
    ])

    const said = await imports.ready(source.id, bytes, { header: 3, encoding: 'macintosh' })
    expect(said).toMatchObject({
      encoding: 'macintosh',
      suggested_encoding: null,
      header: 3,
      columns: ['Name', 'E-Mail', 'State'],
      rows: 1,
    })
    const halved = { mapping: ['name', 'email', 'state'], constants: { lead_type: 'final_expense' } }
    const preview = importPreviewSchema.parse(
      (await imports.call('POST', `/${said.id}/preview`, halved)).json,
    )
    expect(preview.rows).toMatchObject([{ row: 4, lead: { name: 'José', email: 'jose@example.com' } }])
  })

  test('names the cells that a lead cannot keep, in the preview and later on its timeline', async () => {
    const client = await app.newClient()
    const source = await app.newSource({ owner: client })
    const long = 'é'.repeat(33_000)
    const { id } = await imports.ready(source.id, `name,email,notes\nRosa,rosa@example.com,${long}\n`)
    const mapping = { mapping: ['name', 'email', 'custom.notes'], constants: { lead_type: 'final_expense' } }
    const preview = importPreviewSchema.parse((await imports.call('POST', `/${id}/preview`, mapping)).json)
    const warning = {
      path: 'custom.notes',
      message: 'Was left out: a lead keeps at most 65,536 bytes beyond the known fields',
    }
    expect(preview.rows).toMatchObject([{ lead: { name: 'Rosa' }, errors: [], warnings: [warning] }])

    await imports.call('POST', `/${id}/start`, mapping)
    await imports.takeAll()
    const { json: list } = await app.call('GET', '/api/v1/leads', { token: client.token })
    const [lead] = z.array(leadSummarySchema).parse(list.data)
    const { json } = await app.call('GET', `/api/v1/leads/${lead?.id}`, { token: client.token })
    expect(json.timeline[0]).toMatchObject({ data: { left_out: ['custom.notes'] } })
  })

  test('deletes the first rows once the import is started or cancelled', async () => {
    const source = await app.newSource()
    const halved = { mapping: ['name', 'email'], constants: { lead_type: 'final_expense' } }
    const text = 'name,email\nRosa,rosa@example.com\n'
    const [started, cancelled] = [await imports.ready(source.id, text), await imports.ready(source.id, text)]
    await imports.call('POST', `/${started.id}/start`, halved)
    await imports.call('POST', `/${cancelled.id}/cancel`)
    const rows = await app.context.db
      .selectFrom('lead_imports')
      .select('head')
      .where('id', 'in', [started.id, cancelled.id])
      .execute()
    expect(rows.map(({ head }) => head)).toEqual([[], []])
    await imports.takeAll()
  })
})

describe('the personal data in an import', () => {
  test('is deleted after its retention, or at once after a cancellation; the import’s own figures stay', async () => {
    const source = await app.newSource()
    const text = 'name,email\nRosa,rosa@example.com\nNobody,no address\nLast,last@example.com\n'
    const halved = { mapping: ['name', 'email'], constants: { lead_type: 'final_expense' } }
    const [kept, cancelled, forgotten] = [
      await imports.ready(source.id, text),
      await imports.ready(source.id, text),
      await imports.ready(source.id, text),
    ]
    await imports.call('POST', `/${kept.id}/start`, halved)
    await imports.takeAll()
    expect((await imports.call('POST', `/${cancelled.id}/cancel`)).json).toMatchObject({ state: 'cancelled' })
    const count = async (id: string) => {
      const { db } = app.context
      const rows = db.selectFrom('lead_import_rows').select('row').where('import_id', '=', id)
      const parts = db.selectFrom('lead_import_parts').select('at').where('import_id', '=', id)
      return (await rows.execute()).length + (await parts.execute()).length
    }
    const files = async (...ids: string[]) =>
      await Promise.all(ids.map(async (id) => (await findImportFile(app.context.db, id)) !== undefined))

    expect(await count(kept.id)).toBe(1)
    await emptyImports(app.context.db, new Date(0))
    expect([await count(kept.id), await count(cancelled.id), await count(forgotten.id)]).toEqual([1, 0, 3])
    expect(await files(kept.id, cancelled.id, forgotten.id)).toEqual([true, false, true])
    await emptyImports(app.context.db, new Date(Date.now() + 60_000))
    expect([await count(kept.id), await count(forgotten.id)]).toEqual([0, 0])
    expect(await files(kept.id, forgotten.id)).toEqual([false, false])
    expect(await imports.show(kept.id)).toMatchObject({
      state: 'finished',
      accepted: 2,
      refused: 1,
      columns: [],
      has_report: false,
      has_file: false,
    })
    expect(await imports.show(forgotten.id)).toMatchObject({ state: 'cancelled', accepted: 0 })
    expect((await imports.call('GET', `/${kept.id}/refused.csv`)).status).toBe(404)
    expect((await imports.call('POST', `/${kept.id}/file/open`)).status).toBe(404)
  })
})
