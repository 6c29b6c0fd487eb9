import { appendFile, cp, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMINISTRATION_ZONE } from '#core/contract/market/administration-zone.ts'
import { openDatabase } from '#core/data/database.ts'
import { keepRevenueDay, listDaysToCount } from '#core/data/market/money/revenue-days.ts'
import { keepHour, listHoursToCount } from '#core/data/operations/overview/kept-hours.ts'
import { pathOfBytes } from '#core/file-store/path-of-bytes.ts'
import { hashFile } from '#scripts/leadwire/backup/copy-files.ts'
import { PARTS } from '#scripts/leadwire/backup/manifest.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { migrateDatabase } from '#scripts/migrate-database.ts'
import { startPostgres, type Service } from '#scripts/services/postgres.ts'
import { administer, databaseNamed } from '#scripts/services/test-services.ts'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '#scripts/services/throw-away-folder.ts'
import { givenBuyer, givenOrder } from '#tests/support/given/market.ts'
import {
  assignLead,
  drain,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { readJson, runLeadwire } from './run-leadwire.ts'

/** Our own PostgreSQL comes without pg_dump, so this needs one of the system with both: Debian's, for example. */
const PLACE = '/usr/lib/postgresql'
const bin = (existsSync(PLACE) ? readdirSync(PLACE) : [])
  .map((version) => path.join(PLACE, version, 'bin'))
  .find((folder) =>
    ['postgres', 'pg_dump', 'pg_restore'].every((name) => existsSync(path.join(folder, name))),
  )

if (bin === undefined)
  process.stdout.write(`No PostgreSQL with pg_dump is in ${PLACE}: backups are not tested\n`)

describe.skipIf(bin === undefined)('with a PostgreSQL that has pg_dump', () => {
  let folder: string
  let postgres: Service
  let pipeline: TestPipeline
  let crm: Receiver
  let file: string
  let shelf: string
  beforeAll(async () => {
    folder = await makeThrowAwayFolder('backup')
    shelf = await mkdtemp(path.join(tmpdir(), 'leadwire-shelf-'))
    postgres = await startPostgres({ folder, bin, throwaway: true })
    await migrateDatabase(postgres.url)
    pipeline = await startPipeline({ DATABASE_URL: postgres.url })
    crm = await startReceiver()
    await fill()
    await pipeline.stopWorker()
  })
  afterAll(async () => {
    await crm.close()
    await pipeline.close()
    await postgres.stop()
    await removeThrowAwayFolder(folder)
    await rm(shelf, { recursive: true })
  })

  /** A sold and delivered lead of some days ago, sums of the past, and a stored file. */
  async function fill(): Promise<void> {
    const { db, context } = pipeline
    const client = await givenBuyer(db)
    await givenOrder(db, client)
    await givenConfig(context, client, { endpoint_url: crm.url, trigger_on_lead_assigned: true })
    const lead = await givenLead(db, null, { email: 'sold@example.com', phone: '+12025550111' })
    await assignLead(db, lead)
    await publishEventsOfLead(context, lead)
    await drain(context)
    await db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx)
      await sql`update leads set created_at = created_at - interval '3 hours'`.execute(trx)
      await sql`update balance_ledger set created_at = created_at - interval '2 days'`.execute(trx)
    })
    for (const hour of await listHoursToCount(db)) await keepHour(db, hour)
    for (const day of await listDaysToCount(db, ADMINISTRATION_ZONE)) await keepRevenueDay(db, day)
    const given = path.join(folder, 'evidence')
    await writeFile(given, 'Evidence of a call')
    file = await hashFile(given)
    await cp(given, path.join(dataDir(), 'files', pathOfBytes(file)))
    await sql`insert into file_contents (sha256, size) values (decode(${file}, 'hex'), 18)`.execute(db)
  }

  const dataDir = (): string => pipeline.environment.env['DATA_DIR'] ?? ''
  const run = (...args: string[]) => runLeadwire(pipeline.environment.env, ...args)

  /** An empty database and an empty DATA_DIR. */
  async function givenPlace(name: string): Promise<Record<string, string>> {
    await administer(postgres.url, `create database ${name}`)
    const data = await mkdtemp(path.join(shelf, `${name}-`))
    return { ...pipeline.environment.env, DATABASE_URL: databaseNamed(postgres.url, name), DATA_DIR: data }
  }

  async function readSums(url: string): Promise<unknown> {
    const { db, close } = openDatabase({ url, poolSize: 1, name: 'backup-test' }, () => undefined)
    try {
      const hours = await sql`select hour, market, deliveries from overview_hours order by hour`.execute(db)
      const days = await sql`select * from revenue_days order by 1, 2, 3`.execute(db)
      expect([hours.rows.length, days.rows.length]).toEqual([3, expect.any(Number)])
      expect(days.rows.length).toBeGreaterThan(1)
      return [hours.rows, days.rows]
    } finally {
      await close()
    }
  }

  async function spoiled(name: string, spoil: (folder: string) => Promise<void>): Promise<string> {
    const copy = path.join(shelf, name)
    await cp(path.join(shelf, 'first'), copy, { recursive: true })
    await spoil(copy)
    return copy
  }

  test('backup and restore: the same counts, sums, files and kept sums, without Redis; nothing is lost', async () => {
    const first = path.join(shelf, 'first')
    const taken = await run('backup', first, '--json')
    expect(taken.stderr).toContain('dumping')
    const told = readJson(taken)
    expect(told).toMatchObject({
      contents: { leads: '1', assignments: '1', 'deliveries delivered': '1', 'order tallies': '1' },
      files: { kept: 'here', count: 1, bytes: 18, missing: 0 },
    })
    expect(taken.stdout).not.toContain(pipeline.environment.env['SECRETS_KEY'] ?? '')
    const place = await givenPlace('restored')
    const restored = await runLeadwire(
      { ...place, REDIS_URL: 'redis://127.0.0.1:1' },
      'restore',
      first,
      '--json',
    )
    expect(restored.code).toBe(0)
    expect(readJson(restored)).toMatchObject({
      migrated: [],
      differences: [],
      files: 1,
      sums: { hours: 3 },
    })
    expect(await readSums(place['DATABASE_URL'] ?? '')).toEqual(await readSums(postgres.url))
    const bytes = path.join(place['DATA_DIR'] ?? '', 'files', pathOfBytes(file))
    expect(await readFile(bytes, 'utf8')).toBe('Evidence of a call')
    const again = await runLeadwire(place, 'restore', first)
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('not empty') as string })
  })

  test('a second backup links files of the first one, and --check restores it and drops its database', async () => {
    const second = path.join(shelf, 'second')
    expect(await run('backup', second)).toMatchObject({ code: 0 })
    expect((await stat(path.join(second, PARTS.files, pathOfBytes(file)))).nlink).toBe(2)
    const checked = await run('backup', '--check', second, '--json')
    expect(checked.code).toBe(0)
    expect(readJson(checked)).toMatchObject({ damaged: [], restored: { differences: [] } })
    const { rows } = await sql`select datname from pg_database where datname like 'leadwire_check%'`.execute(
      pipeline.db,
    )
    expect(rows).toEqual([])
  })

  test.each([
    {
      what: 'an archive with a changed file',
      says: 'was changed after the backup',
      spoil: async (copy: string) => {
        const [name] = (await readdir(path.join(copy, PARTS.database))).filter((one) => one.endsWith('.gz'))
        await appendFile(path.join(copy, PARTS.database, name ?? ''), 'x')
      },
    },
    {
      what: 'an archive that lacks a file',
      says: 'is missing in the backup',
      spoil: async (copy: string) => rm(path.join(copy, PARTS.database, 'toc.dat')),
    },
    {
      what: 'a changed manifest',
      says: 'manifest.json was changed',
      spoil: async (copy: string) => {
        const manifest = path.join(copy, PARTS.manifest)
        const text = await readFile(manifest, 'utf8')
        await writeFile(manifest, text.replace('"leads": "1"', '"leads": "2"'))
      },
    },
    {
      what: 'a stored file with other bytes',
      says: '1 stored files are damaged',
      spoil: async (copy: string) =>
        writeFile(path.join(copy, PARTS.files, pathOfBytes(file)), 'Evidence of a lie!'),
    },
  ])('restore refuses $what, and writes nothing', async ({ what, says, spoil }) => {
    const name = `refused_${what.replaceAll(/\W+/g, '_')}`
    const place = await givenPlace(name)
    const end = await runLeadwire(place, 'restore', await spoiled(name, spoil))
    expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining(says) as string })
    const { db, close } = openDatabase(
      { url: place['DATABASE_URL'] ?? '', poolSize: 1, name: 'backup-test' },
      () => undefined,
    )
    const { rows } = await sql`select from pg_tables where schemaname = 'public'`.execute(db)
    await close()
    expect(rows).toEqual([])
  })

  test('another SECRETS_KEY, a folder that is there, and wrong usage are refused', async () => {
    const first = path.join(shelf, 'first')
    const stranger = { ...pipeline.environment.env, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') }
    const end = await runLeadwire(stranger, 'backup', '--check', first, '--json')
    expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining('SECRETS_KEY') as string })
    expect(readJson(end)).toEqual({ error: expect.stringContaining('that signed this backup') as string })
    expect(await run('backup', first)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is there already') as string,
    })
    expect(await run('backup')).toMatchObject({ code: 2 })
    expect(await run('backup', path.join(shelf, 'third'), '--jobs', '0')).toMatchObject({ code: 2 })
    const none = await run('backup', path.join(shelf, 'third'), '--bin', shelf)
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('--bin') as string })
    expect((await readdir(shelf)).filter((name) => name.includes('unfinished'))).toEqual([])
  })
})
