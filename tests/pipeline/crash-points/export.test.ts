// Workers die while they make the file of an export: another one makes it again, and there is one file and one mail.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { insertExport } from '#core/data/exports/exports.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { WITHIN } from '#tests/support/processes/carried.ts'
import { setUpCrashPoint } from '#tests/support/processes/crash-point.ts'

// Processes run one after the other, and the machine may be slow.
vi.setConfig({ testTimeout: 240_000 })

const LEADS = 1100

test('an export whose workers die in the middle and at the end becomes one file', async (context) => {
  const { pipeline, client, worker } = await setUpCrashPoint(context)
  const { db } = pipeline
  await sql`
    insert into leads (user_id, name, lead_type) select ${client}::uuid, 'Lead ' || n, 'final_expense'
    from generate_series(1, ${LEADS}::int) n`.execute(db)
  const id = randomUUID()
  const file_name = `${client}/leads-2026-11-30-${id}.csv`
  const owner = { account_id: client, asked_by: client, member_user_id: null, is_of_all: false }
  const read = () =>
    db
      .selectFrom('exports')
      .select(['state', 'rows_done', 'tries', 'failure'])
      .where('id', '=', id)
      .executeTakeFirst()
  const endLease = () => sql`update exports set lease_until = now()`.execute(db)

  const first = await worker({ FAILPOINTS: 'within-export=exit*2' })
  await insertExport(db, { ...owner, id, kind: 'leads', filters: {}, file_name })
  await first.ended()
  expect(await read()).toMatchObject({ state: 'running', tries: 1 })
  await endLease()
  await (await worker({ FAILPOINTS: 'before-export-file=exit' })).ended()
  expect(await read()).toMatchObject({ state: 'running', tries: 2 })
  await endLease()
  await worker()
  await waitUntil(async () => (await read())?.state === 'done', {
    what: 'The file',
    timeoutMs: WITHIN.aLock * 4,
  })

  expect(await read()).toEqual({ state: 'done', rows_done: LEADS, tries: 3, failure: null })
  const { rows } = await sql`
    select (select array_agg(name) from stored_files) as files,
      (select count(*)::int from mails where template = 'export_ready') as mails`.execute(db)
  expect(rows).toEqual([{ files: [file_name], mails: 1 }])
})
