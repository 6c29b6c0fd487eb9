// Workers make exports: one that another worker has, that stops, or whose person loses the role meanwhile.
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { exportSchema, type Export } from '#core/contract/exports/export.ts'
import { claimExport } from '#core/data/exports/make-export.ts'
import { findFile } from '#core/data/files/stored-files.ts'
import { eraseLead } from '#core/data/leads/erase-lead.ts'
import type { FileStore } from '#core/file-store/file-store.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { createMakeExports } from '#worker/housekeeping/exports/make-exports.ts'
import { ExportLost, makeFile } from '#worker/housekeeping/exports/make-file.ts'
import { startForTwo } from '../leads/start-for-two.ts'

const PATH = '/api/v1/exports'
const LEADS = 12
const OF_TEXAS = 2

const { app, client: owner, other, get } = await startForTwo()
const { context } = app
const { db } = context

const ask = (body: object, who = owner) => app.call('POST', PATH, { token: who.token, body })
const make = (files = context.files) => createMakeExports({ ...context, files })(new AbortController().signal)
const show = async (id: string, who = owner): Promise<Export> =>
  exportSchema.parse((await get(`${PATH}/${id}`, who)).json)
const rowsOf = (csv: string) => csv.trimEnd().split('\r\n').slice(1)
const fileOf = async (id: string) => {
  const { rows } = await sql<{ file_name: string }>`select file_name from exports where id = ${id}`.execute(
    db,
  )
  return () => findFile(db, { bucket: 'exports', name: rows[0]?.file_name ?? '' })
}

beforeAll(async () => {
  await sql`
    insert into leads (user_id, name, email, lead_type, state)
    select ${owner.id}::uuid, 'Avery Example', md5(n::text) || '@example.com', 'final_expense',
      case when n <= ${OF_TEXAS} then 'TX' else 'CA' end
    from generate_series(1, ${LEADS}::int) n`.execute(db)
})
beforeEach(async () => {
  await sql`delete from exports`.execute(db)
})

test('a worker that lost its lease leaves the file to the one that has it', async () => {
  const asked = await ask({ kind: 'leads', filters: { state: 'TX' } })
  const viewer = { user_id: owner.id, role: 'client' } as const
  const { signal } = new AbortController()
  const late = await claimExport(db, -1)
  const next = await claimExport(db, 30)
  if (late === undefined || next === undefined) throw new Error('Nothing to make')
  await expect(makeFile(context, { claimed: late, viewer, signal })).rejects.toThrow(ExportLost)
  expect(await (await fileOf(asked.json.id))()).toBeUndefined()
  await makeFile(context, { claimed: next, viewer, signal })
  await expect(makeFile(context, { claimed: late, viewer, signal })).rejects.toThrow(ExportLost)
  expect(await show(asked.json.id)).toMatchObject({ state: 'done', rows_done: OF_TEXAS })
  expect(rowsOf((await get(`${PATH}/${asked.json.id}/file`)).text)).toHaveLength(OF_TEXAS)
})

test('a worker that stops leaves the export to the next one', async () => {
  const asked = await ask({ kind: 'leads' })
  const stop = new AbortController()
  const files: FileStore = {
    ...context.files,
    write: (...given) => {
      stop.abort()
      return context.files.write(...given)
    },
  }
  await createMakeExports({ ...context, files })(stop.signal)
  expect(await show(asked.json.id)).toMatchObject({ state: 'waiting', size: null })
  await make()
  expect(await show(asked.json.id)).toMatchObject({ state: 'done', rows_done: LEADS })
})

test('an export that is asked for while a lead is erased begins after the erasure', async () => {
  const { rows } = await sql<{ id: string }>`
    insert into leads (user_id, name, email, lead_type, state)
    values (${owner.id}, 'Rosa Erased', 'rosa@example.com', 'final_expense', 'NV') returning id`.execute(db)
  let id = ''
  await db.transaction().execute(async (trx) => {
    await eraseLead(trx, rows[0]?.id ?? '')
    id = (await ask({ kind: 'leads', filters: { search: 'Rosa' } })).json.id
    await make()
    expect(await show(id)).toMatchObject({ state: 'waiting' })
  })
  await make()
  expect(await show(id)).toMatchObject({ state: 'done', rows_done: 0 })
})

test('an export under way when a lead is erased is made again', async () => {
  const { rows } = await sql<{ id: string }>`
    insert into leads (user_id, name, email, lead_type, state)
    values (${owner.id}, 'Ana Erased', 'ana@example.com', 'final_expense', 'NV') returning id`.execute(db)
  const asked = await ask({ kind: 'leads' })
  expect(await claimExport(db, 60)).toMatchObject({ id: asked.json.id })
  await db.transaction().execute((trx) => eraseLead(trx, rows[0]?.id ?? ''))
  const kept = await sql`select state, lease_until from exports where id = ${asked.json.id}`.execute(db)
  expect(kept.rows).toEqual([{ state: 'waiting', lease_until: null }])
})

test('an administrator who becomes a client while an export ends gets no file', async () => {
  const administrator = await app.newClient()
  await sql`update profiles set role = 'admin', admin_role = 'owner' where user_id = ${administrator.id}`.execute(
    db,
  )
  const asked = await ask({ kind: 'leads' }, administrator)
  const file = await fileOf(asked.json.id)
  let making: Promise<unknown> = Promise.resolve()
  await db.transaction().execute(async (trx) => {
    await sql`update profiles set role = 'client', admin_role = null where user_id = ${administrator.id}`.execute(
      trx,
    )
    making = make()
    const waits = async () =>
      (await sql`select from pg_locks where locktype = 'advisory' and not granted`.execute(db)).rows.length >
      0
    await Promise.race([making, waitUntil(waits, { what: 'The end of the export' })])
  })
  await making
  await make()
  const { rows } = await sql`select state, failure from exports where id = ${asked.json.id}`.execute(db)
  expect([rows, await file()]).toEqual([[{ state: 'failed', failure: 'access_lost' }], undefined])
})

test('a long export delays no other account, and an account has one made at a time', async () => {
  const long = await ask({ kind: 'leads' })
  const next = await ask({ kind: 'leads', filters: { state: 'TX' } })
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let isFirst = true
  const making = make({
    ...context.files,
    write: async (...given) => {
      const waits = isFirst
      isFirst = false
      if (waits) await held
      return await context.files.write(...given)
    },
  })
  try {
    await waitUntil(() => !isFirst, { what: 'The file of the long export' })
    const others = await ask({ kind: 'leads' }, other)
    await waitUntil(async () => (await show(others.json.id, other)).state === 'done', {
      what: 'The other export',
    })
    expect([await show(long.json.id), await show(next.json.id)]).toMatchObject([
      { state: 'running' },
      { state: 'waiting' },
    ])
  } finally {
    release()
    await making
  }
  expect(await show(next.json.id)).toMatchObject({ state: 'done', rows_done: OF_TEXAS })
})
