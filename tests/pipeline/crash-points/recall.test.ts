// Processes die while leads are recalled or moved: each client is credited exactly once.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { insertRecall, listRecalls } from '#core/data/leads/lead-recalls.ts'
import { findContradictions } from '#scripts/lab/market/find-contradictions.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { WITHIN } from '#tests/support/processes/carried.ts'
import { setUpCrashPoint } from '#tests/support/processes/crash-point.ts'

// Many processes run at once, and the machine may be slow.
vi.setConfig({ testTimeout: 240_000 })

const LEADS = 500

test('a recall of 500 leads credits each exactly once, although its worker dies in the middle', async (context) => {
  const point = await setUpCrashPoint(context)
  const { db } = point.pipeline
  const { market } = point.pipeline.context
  const clients = [await givenBuyer(db, '10000.00'), await givenBuyer(db, '10000.00')]
  for (const client of clients) await givenOrder(db, client)
  const source = await db.selectFrom('sources').select('id').executeTakeFirstOrThrow()
  const offered = Array.from({ length: LEADS }, () => ({ source_id: source.id }))
  const leads = await givenOffers(db, offered)
  for (let from = 0; from < LEADS; from += 100) await assignLeads(market, leads.slice(from, from + 100))
  const [other = ''] = await givenOffers(db, [{}])
  await assignLeads(market, [other])

  const doomed = await point.worker({ FAILPOINTS: 'before-recall=exit*200' })
  const range = { source: source.id, from: new Date(0), to: new Date(Date.now() + 60_000) }
  const id = await db
    .transaction()
    .execute((trx) => insertRecall(trx, range, { note: 'Bought list', by: randomUUID() }))
  await doomed.ended()
  const read = async () => (await listRecalls(db, { limit: 1, id: id ?? '' }))[0]
  expect(await read()).toMatchObject({ leads: LEADS, returned: 199, waiting: 301, ended_at: null })

  await Promise.all([point.worker(), point.worker()])
  await waitUntil(async () => (await read())?.ended_at !== null, {
    what: 'The end of the recall',
    timeoutMs: WITHIN.aLock * 4,
  })
  expect(await read()).toMatchObject({ returned: LEADS, skipped: 0, credited: '12500.00' })
  const { rows } = await sql`
    select (select count(*)::int from balance_ledger where entry_type = 'lead_return') as credits,
      (select sum(balance)::text from profiles where user_id = any(${clients}::uuid[])) as balances,
      (select count(*)::int from mails where template = 'leads_recalled') as told,
      (select status from leads where id = ${other}) as other`.execute(db)
  expect(rows).toEqual([{ credits: LEADS, balances: '19975.00', told: 2, other: 'assigned' }])
  expect(await findContradictions(db)).toEqual([])
})
