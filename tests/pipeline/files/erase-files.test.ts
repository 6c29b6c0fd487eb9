import { randomBytes, randomUUID } from 'node:crypto'
import { sql, type Transaction as OpenTransaction } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseFilesOfAccount } from '#core/data/files/erase-files.ts'
import { listFolder } from '#core/data/files/list-files.ts'
import { eraseLead } from '#core/data/leads/erase-lead.ts'
import { removeBeside } from '#core/data/leads/data-subjects.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { FileMissing } from '#core/file-store/file-store.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { removeErasedBytes } from '#core/use-cases/files/remove-freed-bytes.ts'
import { storeFile } from '#core/use-cases/files/store-file.ts'
import { keepFile } from '#worker/housekeeping/imports/keep-file.ts'
import { removeOverFiles } from '#worker/housekeeping/files/remove-over-files.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenImport } from '#tests/support/given/imports.ts'
import {
  assignLead,
  givenClient,
  givenLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'

type Transaction = OpenTransaction<Database>

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let pipeline: TestPipeline
let owner: string
let stranger: string
let admin: string
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
  const { db } = pipeline
  owner = await givenClient(db)
  stranger = await givenClient(db)
  admin = await givenClient(db)
  await sql`update profiles set role = 'admin' where user_id = ${admin}`.execute(db)
})
afterAll(() => pipeline.close())

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}
async function store(
  bucket: string,
  account: string,
  name: string,
  bytes = randomBytes(40),
  account_id: string | null = account,
): Promise<string> {
  const given = { bucket, account_id, name: `${account}/${name}`, content_type: 'text/csv' }
  return (await storeFile(pipeline.context, { ...given, bytes: bytesOf(bytes), upsert: false })).sha256
}
/** A ready export of an account. */
async function givenExport(account: string, finishedAt = new Date()): Promise<string> {
  const id = randomUUID()
  const name = `${account}/${id}.csv`
  const sha256 = await store('exports', account, `${id}.csv`)
  await sql`
    insert into exports (id, account_id, asked_by, is_of_all, kind, state, file_name, size, started_at, finished_at)
    values (${id}, ${account}, ${account}, ${account === admin}, 'leads', 'done', ${name}, 40, now(), ${finishedAt})`.execute(
    pipeline.db,
  )
  return sha256
}
/** A finished import with its file, and one row that became no lead. */
async function givenImported(cells: string[]): Promise<{ source: string; sha256: string }> {
  const { db } = pipeline
  const { id, source_id: source } = await givenImport(db, 'Email\n', { owner: null, by: admin })
  const sha256 = await store('imports', admin, `${id}.csv`, randomBytes(40), null)
  await sql`
    update lead_imports set state = 'finished', created_at = now() - interval '1 hour', finished_at = now() + interval '1 minute',
      file_id = (select id from stored_files where name = ${`${admin}/${id}.csv`}) where id = ${id}`.execute(
    db,
  )
  await sql`
    insert into lead_import_rows (import_id, row, cells, outcome, errors)
    values (${id}, 2, ${JSON.stringify(cells)}::jsonb, 'refused', '[]')`.execute(db)
  return { source, sha256 }
}
/** Returns which of these bytes are still in the store. */
async function stillThere(hashes: Record<string, string>): Promise<string[]> {
  const there = await Promise.all(
    Object.entries(hashes).map(async ([name, sha256]) => {
      try {
        for await (const _ of await pipeline.context.files.read(sha256));
        return [name]
      } catch (error) {
        if (error instanceof FileMissing) return []
        throw error
      }
    }),
  )
  return there.flat()
}
const erase = (lead: string) => pipeline.db.transaction().execute((trx) => eraseLead(trx, lead))
const remove = (hashes: readonly string[]) => removeErasedBytes(pipeline.context, hashes)

test('erasing a lead removes its evidence, exports that may contain it, and the file that it came with, at once', async () => {
  const { db } = pipeline
  const imported = await givenImported(['nobody'])
  const other = await givenImported(['nobody else'])
  const lead = await givenLead(db, owner)
  await assignLead(db, lead)
  await sql`update leads set source_id = ${imported.source} where id = ${lead}`.execute(db)
  const files = {
    own: await givenExport(owner),
    administrators: await givenExport(admin),
    evidence: await store('evidence', owner, `${lead}/call.png`, Buffer.concat([PNG, randomBytes(9)])),
    import: imported.sha256,
    administratorsOwn: await store('imports', admin, 'own.csv'),
    earlier: await givenExport(owner, new Date(Date.now() - 3_600_000)),
    strangers: await givenExport(stranger),
    receipt: await store('receipts', owner, 'receipt.pdf'),
    anotherImport: other.sha256,
  }
  const kept = ['earlier', 'strangers', 'receipt', 'anotherImport']

  const erased = await erase(lead)
  await remove(erased?.freed_bytes ?? [])

  expect(erased?.erased_files).toBe(5)
  expect(await stillThere(files)).toEqual(kept)
  const { rows } = await sql<{
    account_id: string
  }>`select account_id from exports order by finished_at`.execute(db)
  expect(rows.map(({ account_id: account }) => account)).toEqual([owner, stranger])
  expect(await erase(lead)).toMatchObject({ freed_bytes: [], is_news: false })
})

test('a file that arrives while its lead or its account is erased is refused, and so is one that comes later', async () => {
  const { db } = pipeline
  const [client, other] = [await givenClient(db), await givenClient(db)]
  const lead = await givenLead(db, client)
  await assignLead(db, lead)
  await sql`update leads set assigned_to = ${client} where id = ${lead}`.execute(db)
  const during = async (account: string, name: string, erase: (trx: Transaction) => Promise<unknown>) => {
    let arriving: Promise<unknown> = Promise.resolve()
    await db.transaction().execute(async (trx) => {
      await erase(trx)
      arriving = store('evidence', account, name, PNG).catch((error: unknown) => error)
      await waitUntil(async () => await waitsForLock(), { what: 'An upload that waits for the erasure' })
    })
    return await arriving
  }
  const refused: unknown = expect.objectContaining({ reason: 'bad_name' })

  expect(await during(client, `${lead}/call.png`, (trx) => eraseLead(trx, lead))).toEqual(refused)
  await expect(store('evidence', client, `${lead}/later.png`, PNG)).rejects.toEqual(refused)
  expect(
    await during(other, 'call.png', async (trx) => {
      await sql`update auth.users set deleted_at = now() where id = ${other}`.execute(trx)
      await eraseFilesOfAccount(trx, other)
    }),
  ).toEqual(refused)
  await expect(store('receipts', other, 'later.html')).rejects.toEqual(refused)
})

async function waitsForLock(): Promise<boolean> {
  const { rows } = await sql`
    select 1 as waits from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    pipeline.db,
  )
  return rows.length > 0
}

test('an erasure and a list read no more files than they need', async () => {
  const { db } = pipeline
  const lead = await givenLead(db, owner)
  const many = await givenClient(db)
  await store('receipts', many, 'first.pdf')
  await sql`
    insert into stored_files (bucket_id, name, account_id, sha256, size, content_type, cache_control)
    select bucket_id, name || n, account_id, sha256, size, content_type, cache_control
    from stored_files, generate_series(1, 5000) n where account_id = ${many}`.execute(db)
  await sql`analyze stored_files`.execute(db)
  const reads = async (act: (trx: Transaction) => Promise<unknown>) =>
    await db.transaction().execute(async (trx) => {
      await act(trx)
      const { rows } = await sql<{ scans: number; files: number }>`
        select seq_scan::int as scans, (seq_tup_read + idx_tup_fetch)::int as files
        from pg_stat_xact_user_tables where relname = 'stored_files'`.execute(trx)
      return rows[0]
    })
  const contact = { kind: 'email', value: 'nobody.at.all@example.com' } as const
  expect(await reads((trx) => eraseLead(trx, lead))).toMatchObject({ scans: 0 })
  expect(await reads((trx) => removeBeside(trx, contact))).toMatchObject({ scans: 0 })
  const page = { bucket: 'receipts', search: '', sort: 'name', limit: 100, offset: 0 } as const
  for (const folder of ['', `${many}/`])
    for (const descending of [false, true]) {
      const asked = { ...page, owner: { account_id: many }, folder, descending }
      const read = await reads(async (trx) => {
        expect(await listFolder(trx, asked)).toHaveLength(folder === '' ? 1 : 100)
      })
      expect(read?.files).toBeLessThanOrEqual(500)
    }
  await sql`delete from stored_files where account_id = ${many}`.execute(db)
})

test('a person who is erased while the file of an import is being kept is in no file', async () => {
  const { db, context } = pipeline
  const file_name = 'leads.csv'
  const { id } = await givenImport(db, 'Email\nrosa.kept@example.com\n', { owner: null, by: admin })
  await sql`update lead_imports set state = 'reading' where id = ${id}`.execute(db)
  await sql`
    insert into lead_import_rows (import_id, row, cells) values (${id}, 2, '["rosa.kept@example.com"]')`.execute(
    db,
  )
  const contact = { kind: 'email', value: 'rosa.kept@example.com' } as const
  const logger = createLogger('test', 'silent')
  let keeping: Promise<unknown> = Promise.resolve()
  await db.transaction().execute(async (trx) => {
    await removeBeside(trx, contact)
    keeping = keepFile({ ...context, logger }, { id, created_by: admin, file_name } as never)
    await Promise.race([keeping, waitUntil(waitsForLock, { what: 'A file that waits for the erasure' })])
  })
  await keeping
  await keepFile({ ...context, logger }, { id, created_by: admin, file_name } as never)
  const { rows } = await sql`
    select f.name from lead_imports i left join stored_files f on f.id = i.file_id where i.id = ${id}`.execute(
    db,
  )
  expect(rows).toEqual([{ name: null }])
})

test('a client that gave the lead back loses the exports of that time too', async () => {
  const { db } = pipeline
  const lead = await givenLead(db, owner)
  await assignLead(db, lead)
  await sql`update lead_assignments set state = 'returned', client_user_id = ${stranger} where lead_id = ${lead}`.execute(
    db,
  )
  const files = { former: await givenExport(stranger) }
  await remove((await erase(lead))?.freed_bytes ?? [])
  expect(await stillThere(files)).toEqual([])
})

test('if the process ends after the commit, or the store is away, housekeeping removes the bytes soon', async () => {
  const { context, db } = pipeline
  const lead = await givenLead(db, owner)
  const files = { own: await givenExport(owner) }
  const erased = await erase(lead)
  const away = { ...context.files, remove: () => Promise.reject(new Error('the service is away')) }
  await removeErasedBytes(
    { ...context, files: away, logger: createLogger('test', 'silent') },
    erased?.freed_bytes ?? [],
  )
  expect(await stillThere(files)).toEqual(['own'])

  await sql`update file_contents set look_at = now(), doubtful_until = null where doubtful_until is not null`.execute(
    db,
  )
  await removeOverFiles(context, new AbortController().signal)
  expect(await stillThere(files)).toEqual([])
})

test('erasing a person removes files of imports with a row about them', async () => {
  const { db } = pipeline
  const files = {
    theirs: (await givenImported(['Rosa', 'rosa.files@example.com'])).sha256,
    others: (await givenImported(['Ana', 'ana@example.com'])).sha256,
  }
  const contact = { kind: 'email', value: 'rosa.files@example.com' } as const
  const { freed_bytes, import_rows } = await db.transaction().execute((trx) => removeBeside(trx, contact))
  expect(import_rows).toBe(1)
  await remove(freed_bytes)
  expect(await stillThere(files)).toEqual(['others'])
})

test('erasing an account removes its files and the exports that it asked for, and no others', async () => {
  const { db } = pipeline
  const gone = await givenClient(db)
  const same = randomBytes(30)
  const files = {
    export: await givenExport(gone),
    evidence: await store('evidence', gone, 'call.png', Buffer.concat([PNG, randomBytes(5)])),
    receipt: await store('receipts', gone, 'receipt.pdf'),
    shared: await store('receipts', gone, 'same.pdf', same),
    strangers: await store('receipts', stranger, 'mine.pdf'),
  }
  await store('receipts', stranger, 'same.pdf', same)
  await remove(await db.transaction().execute((trx) => eraseFilesOfAccount(trx, gone)))

  expect(await stillThere(files)).toEqual(['shared', 'strangers'])
  const { rows } = await sql`select from stored_files where account_id = ${gone}`.execute(db)
  expect(rows).toEqual([])
})
