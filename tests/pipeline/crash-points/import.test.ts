// Workers that die while they read a file or make leads of its rows: each row becomes one lead or is
// reported.
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { findImport } from '#core/data/imports/lead-imports.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenImport, writeLeads } from '#tests/support/given/imports.ts'
import { setUpCrashPoint } from '#tests/support/processes/crash-point.ts'

// Many processes run at once, and the machine may be slow.
vi.setConfig({ testTimeout: 240_000 })

const ROWS = 2500
const PATIENT_MS = 120_000

test('every row of an import is taken exactly once, wherever workers die', async (context) => {
  const { pipeline, client, crm, worker } = await setUpCrashPoint(context)
  const { db } = pipeline
  // One delivery per lead, so that the delivered leads can be counted.
  await db.updateTable('client_webhook_configs').set({ trigger_on_lead_assigned: false }).execute()
  const {
    id,
    source_id: source,
    start,
  } = await givenImport(db, writeLeads(ROWS), { owner: client, by: client })
  const read = async () => {
    const found = await findImport(db, id)
    const { rows } = await sql<{ leads: number; keys: number; kept: number; told: number }>`
      select (select count(*)::int from leads where source_id = ${source}) as leads,
        (select count(distinct idempotency_key)::int from leads where source_id = ${source}) as keys,
        (select count(*)::int from lead_import_rows where import_id = ${id}) as kept,
        (select count(*)::int from events e join leads l on l.id = e.lead_id
          where e.type = 'lead.created' and l.source_id = ${source}) as told`.execute(db)
    const { state, taken = 0, accepted, duplicates, refused } = found ?? {}
    return { state, taken, accepted, duplicates, refused, ...rows[0] }
  }
  const die = async (failpoints: string) => {
    const doomed = await worker({ FAILPOINTS: failpoints })
    await doomed.ended()
  }

  await die('after-stage=exit*3')
  expect(await read()).toMatchObject({ state: 'reading', leads: 0, kept: 1500 })
  const reader = await worker()
  await waitUntil(async () => (await read()).state === 'ready', {
    what: 'The file read',
    timeoutMs: PATIENT_MS,
  })
  expect(await read()).toMatchObject({ leads: 0, kept: ROWS })
  await reader.kill()

  await start()
  await die('before-import=exit*4')
  const before = await read()
  expect(before).toMatchObject({ state: 'running', taken: 150, leads: 135, kept: ROWS - 135 })
  await die('after-import=exit*2')
  expect(await read()).toMatchObject({ state: 'running', taken: 250, leads: 225, told: 225 })
  // Killed at an arbitrary moment.
  const killed = await worker()
  await waitUntil(async () => (await read()).taken >= 1000, {
    what: 'Rows of the middle',
    timeoutMs: PATIENT_MS,
  })
  await killed.kill()
  const middle = await read()
  expect(middle.leads).toBe(middle.accepted)
  await worker()
  await waitUntil(async () => (await read()).state === 'finished', {
    what: 'The end',
    timeoutMs: PATIENT_MS,
  })

  const whole = { leads: ROWS * 0.9, keys: ROWS * 0.9, told: ROWS * 0.9 }
  const counts = { taken: ROWS, accepted: ROWS * 0.9, duplicates: 0, refused: ROWS * 0.1 }
  expect(await read()).toEqual({ state: 'finished', ...counts, ...whole, kept: ROWS * 0.1 })
  await waitUntil(
    () => new Set(crm.requests.map(({ headers }) => headers['webhook-id'])).size === ROWS * 0.9,
    { what: 'Every lead at the CRM', timeoutMs: PATIENT_MS },
  )
})
