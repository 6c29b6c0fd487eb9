// A file of leads that ends every worker that takes it. Nothing else waits for it, and its tries are limited.
import { expect, test, vi } from 'vitest'
import { findImport } from '#core/data/imports/lead-imports.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenImport, writeLeads } from '#tests/support/given/imports.ts'
import { setUpCrashPoint } from '#tests/support/processes/crash-point.ts'

// Many processes run one after the other.
vi.setConfig({ testTimeout: 240_000 })

const PATIENT = { what: 'The end of it', timeoutMs: 60_000 }

test('an import fails after it has ended three workers, while its file is read or while its rows are taken', async (context) => {
  const { pipeline, client, worker } = await setUpCrashPoint(context)
  const { db } = pipeline
  const given = async () => await givenImport(db, writeLeads(10), { owner: client, by: client })
  const show = async (id: string) => {
    const { state, failure, accepted } = (await findImport(db, id)) ?? {}
    return { state, failure, accepted }
  }
  const die = async (failpoint: string) => {
    const doomed = await worker({ FAILPOINTS: `${failpoint}=exit` })
    await doomed.ended()
  }

  const unread = await given()
  for (let time = 1; time <= 3; time += 1) {
    expect(await show(unread.id)).toMatchObject({ state: 'reading' })
    await die('after-stage')
  }
  const next = await given()
  const reader = await worker()
  await waitUntil(async () => (await show(next.id)).state === 'ready', PATIENT)
  expect(await show(unread.id)).toEqual({ state: 'failed', failure: 'ended_worker', accepted: 0 })
  await reader.kill()

  await next.start()
  for (let time = 1; time <= 3; time += 1) {
    expect(await show(next.id)).toMatchObject({ state: 'running' })
    await die('before-import')
  }
  await worker()
  await waitUntil(async () => (await show(next.id)).state === 'failed', PATIENT)
  expect(await show(next.id)).toEqual({ state: 'failed', failure: 'ended_worker', accepted: 0 })
})
