import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listRevocations } from '#core/data/leads/revocations/list-revocations.ts'
import { acknowledge } from '#core/data/leads/revocations/receipts.ts'
import { readBacklog } from '#core/data/operations/backlog.ts'
import { findNeeds } from '#core/data/operations/needs.ts'
import { readWorkToDo } from '#core/data/operations/work-to-do.ts'
import { eraseAccount } from '#server/accounts/people/data/erase-account.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { setUpJourneys } from '#tests/support/given/journeys.ts'
import { givenConfig } from '#tests/support/given/pipeline.ts'
import { noteRevocationReceipts } from '#worker/housekeeping/notices/note-receipts.ts'
import { ADMINISTRATOR, givenHeldInTurn, receiptsOf, revoke } from './held-in-turn.ts'

const journeys = setUpJourneys({ WEBHOOK_RETRY_SCHEDULE: '1' })

test('an account that was erased owes no receipt any more, and is neither mailed nor looked at', async () => {
  const { db } = journeys.pipeline
  const phone = '+12025550181'
  const { lead, clients } = await givenHeldInTurn(journeys.pipeline, phone)
  const [erased, ...others] = clients
  const id = (await revoke(journeys.pipeline, phone))?.id ?? ''
  await sql`
    update revocation_holders set due_at = now() - interval '1 minute', mailed_at = null, look_at = '-infinity'
    where revocation_id = ${id}`.execute(db)
  for (const client of others) await acknowledge(db, { user_id: client, person_id: client }, lead)
  const open = async () => ({
    overdue: (await readBacklog(db)).overdue_revocations,
    needs: (await findNeeds(db, 'overdue_revocation')).items.map((need) => need.id),
    listed: (await listRevocations(db, { id, open: 'any' }, { limit: 1, after: undefined })).length,
  })
  expect(await open()).toEqual({ overdue: 1, needs: [id], listed: 1 })

  await db.transaction().execute((trx) => eraseAccount(trx, erased, ADMINISTRATOR))
  expect(await open()).toEqual({ overdue: 0, needs: [], listed: 0 })
  await noteRevocationReceipts({ db })
  const holder = await db
    .selectFrom('revocation_holders')
    .select(['look_at', 'mailed_at', 'acknowledged_at'])
    .where('client_user_id', '=', erased)
    .executeTakeFirst()
  expect(holder).toEqual({ look_at: null, mailed_at: null, acknowledged_at: null })
})

test('a delivery ends without waiting for the mails to other clients', async () => {
  const { pipeline, crm } = journeys
  const { db, context } = pipeline
  const phone = '+12025550182'
  const { clients } = await givenHeldInTurn(journeys.pipeline, phone)
  const [first] = clients
  const id = (await revoke(journeys.pipeline, phone))?.id ?? ''
  const { id: webhook } = await givenConfig(context, first, {
    endpoint_url: crm.url,
    events: ['lead.consent_revoked'],
  })
  await sql`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, next_attempt_at)
    select event_id, 'lead.consent_revoked', ${webhook}, ${first}, event_id, 'held', null from revocation_holders
    where revocation_id = ${id} and client_user_id = ${first}`.execute(db)
  await sql`update revocation_holders set mailed_at = null, look_at = '-infinity' where revocation_id = ${id}`.execute(
    db,
  )
  const looking = await db.transaction().execute(async (held) => {
    await sql`lock table mails in exclusive mode`.execute(held)
    const mailing = noteRevocationReceipts({ db })
    await waitUntil(
      async () =>
        (await sql`select from pg_locks where relation = 'mails'::regclass and not granted`.execute(db)).rows
          .length > 0,
      { what: 'A mail that waits' },
    )
    await db.transaction().execute(async (trx) => {
      await sql`set local lock_timeout = '500ms'`.execute(trx)
      await sql`
        update webhook_deliveries set state = 'delivered', finished_at = now() where webhook_config_id = ${webhook}`.execute(
        trx,
      )
    })
    return { mailing }
  })
  await looking.mailing
  const receipts = await receiptsOf(journeys.pipeline, id)
  expect(clients.map((client) => receipts.get(client)?.acknowledged_by)).toEqual(['webhook', null, null])
  expect(clients.map((client) => receipts.get(client)?.mailed_at !== null)).toEqual([false, true, true])
})

test('only holders of which a delivery has ended since are looked at, however many are open', async () => {
  const { pipeline, crm } = journeys
  const { db, context } = pipeline
  crm.answerWith(200)
  await noteRevocationReceipts({ db })
  const dueNow = async () =>
    (
      await sql`select id from revocation_holders where acknowledged_at is null and look_at <= now()`.execute(
        db,
      )
    ).rows
  const phone = '+12025550180'
  const { clients } = await givenHeldInTurn(journeys.pipeline, phone)
  const [first] = clients
  await givenConfig(context, first, {
    endpoint_url: crm.url,
    events: ['lead.consent_revoked'],
    is_active: false,
  })
  const done = await revoke(journeys.pipeline, phone)
  // Many clients that never answer, as they are after months: mailed, and with nothing under way.
  await sql`
    insert into revocation_holders (revocation_id, lead_id, client_user_id, due_at, mailed_at, event_id)
    select ${done?.id}, uuid_v7(), uuid_v7(), now(), now(), uuid_v7() from generate_series(1, 1000)`.execute(
    db,
  )
  await noteRevocationReceipts({ db })
  expect(await dueNow()).toEqual([])
  const looked = await readWorkToDo(db, { types: [], unplannedSeconds: 60 })
  expect(looked.revocations).toBe(false)

  await sql`analyze revocation_holders`.execute(db)
  const { rows: plan } = await sql<{ 'QUERY PLAN': string }>`
    explain (analyze, costs off, timing off, summary off, buffers off)
    select id from revocation_holders where acknowledged_at is null and look_at <= now() order by look_at limit 200`.execute(
    db,
  )
  const text = plan.map((line) => line['QUERY PLAN']).join('\n')
  expect(text).toContain('revocation_holders_to_look_at')
  expect(text).toContain('actual rows=0')

  // A delivery that ends is the one thing that is looked at.
  const { rows: holders } = await sql<{ id: string; event_id: string }>`
    select id, event_id from revocation_holders where revocation_id = ${done?.id} and client_user_id = ${first}`.execute(
    db,
  )
  const [holder] = holders
  const { id: webhook } = await givenConfig(context, first, { endpoint_url: crm.url })
  await sql`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, next_attempt_at)
    select ${holder?.event_id}, 'lead.consent_revoked', ${webhook}, ${first}, lead_id, 'held', null from revocation_holders
    where id = ${holder?.id}`.execute(db)
  expect(await dueNow()).toEqual([])
  await sql`update webhook_deliveries set state = 'delivered', finished_at = now() where event_id = ${holder?.event_id}`.execute(
    db,
  )
  expect(await dueNow()).toEqual([{ id: holder?.id }])
  await noteRevocationReceipts({ db })
  const read = await db
    .selectFrom('revocation_holders')
    .select('acknowledged_by')
    .where('id', '=', holder?.id ?? '')
    .executeTakeFirst()
  expect(read?.acknowledged_by).toBe('webhook')
  expect(await dueNow()).toEqual([])
})
