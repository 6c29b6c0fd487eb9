import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { freshState, givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { readAudit } from '../../market/read-audit.ts'
import { newLead } from '../../support/start-app.ts'
import { startWithSource } from '../receive/start-with-source.ts'

const { app, post } = await startWithSource()
const { db } = app.context
const token = app.admin.token

const PATH = '/api/v1/admin/sources'
const stop = (id: string, body: unknown = { reason: 'Sent forged leads' }) =>
  app.call('POST', `${PATH}/${id}/stop`, { token, body })
const sell = (lead: string) =>
  app.call('POST', '/api/v1/rpc/assign_lead_to_buyer_concurrent', { token, body: { lead_id_param: lead } })
const statusOf = async (lead: string) => {
  const row = await db.selectFrom('leads').selectAll().where('id', '=', lead).executeTakeFirstOrThrow()
  return [row.status, row.reject_reason]
}

test('a stopped source sells no more leads, and sold leads stay sold', async () => {
  const source = await app.newSource()
  const other = await app.newSource()
  const state = freshState()
  await givenOrder(db, await givenBuyer(db), { states: [state] })
  const [sold = '', unsold = '', others = ''] = await givenOffers(db, [
    { state, source_id: source.id },
    { state, source_id: source.id },
    { state, source_id: other.id },
  ])
  expect((await sell(sold)).json).toMatchObject({ outcome: 'assigned' })
  const stopped = await stop(source.id)

  expect(stopped).toMatchObject({ status: 200, json: { id: source.id, stop_reason: 'Sent forged leads' } })
  expect((await sell(unsold)).json).toMatchObject({ outcome: 'not_assignable', reason: 'source_stopped' })
  expect(await statusOf(unsold)).toEqual(['rejected', 'source_stopped'])
  expect(await statusOf(sold)).toEqual(['assigned', null])
  expect((await sell(others)).json).toMatchObject({ outcome: 'assigned' })
  const why = await app.call('GET', `/api/v1/admin/leads/${unsold}/decision`, { token })
  expect(why.json).toMatchObject({ outcome: 'rejected', reason: 'source_stopped' })
})

test('leads from before the revocation of the source’s keys are still sold', async () => {
  const source = await app.newSource()
  const state = freshState()
  await givenOrder(db, await givenBuyer(db), { states: [state] })
  const [lead = ''] = await givenOffers(db, [{ state, source_id: source.id }])
  await app.call('DELETE', `${PATH}/${source.id}`, { token })

  expect((await sell(lead)).json).toMatchObject({ outcome: 'assigned' })
})

test('a stopped source loses all keys, and gets no other', async () => {
  const source = await app.newSource()
  const { json } = await app.call('POST', `${PATH}/${source.id}/keys`, { token })
  await stop(source.id)

  expect((await post(newLead(), {}, source.key)).status).toBe(401)
  expect((await post(newLead(), {}, json.api_key)).status).toBe(401)
  expect((await app.call('POST', `${PATH}/${source.id}/keys`, { token })).json).toMatchObject({
    code: 'conflict',
    detail: 'This source was stopped. Create another one.',
  })
  const listed = await app.call('GET', PATH, { token })
  expect(listed.json.data.find(({ id }) => id === source.id)).toMatchObject({
    stopped_at: expect.any(String) as unknown,
    revoked_at: expect.any(String) as unknown,
    keys: [{ revoked_at: expect.any(String) as unknown }, { revoked_at: expect.any(String) as unknown }],
  })
})

test('stopping a source waits for decisions in progress, and every later decision respects it', async () => {
  const source = await app.newSource()
  const state = freshState()
  await givenOrder(db, await givenBuyer(db), { states: [state] })
  const [lead = ''] = await givenOffers(db, [{ state, source_id: source.id }])
  const { promise: decided, resolve: decide } = Promise.withResolvers<undefined>()
  const deciding = db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('market'), hashtext('final_expense'))`.execute(trx)
    await decided
  })
  let isStopped = false
  const stopping = stop(source.id).then(() => {
    isStopped = true
  })
  await waitUntil(
    async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`.execute(
        db,
      )
      return rows.length > 0
    },
    { what: 'The stop' },
  )
  expect(isStopped).toBe(false)
  decide(undefined)
  await Promise.all([deciding, stopping])
  expect((await sell(lead)).json).toMatchObject({ reason: 'source_stopped' })
})

test('stopping a source needs an administrator and a reason, which is in the audit log once', async () => {
  const source = await app.newSource()
  const client = await app.newClient()
  for (const body of [{}, { reason: ' ' }, { reason: 'x'.repeat(501) }])
    expect((await stop(source.id, body)).json.errors[0]?.path).toBe('reason')
  expect((await stop('01a1fcd9-0000-7000-8000-000000000000')).status).toBe(404)
  const path = `${PATH}/${source.id}/stop`
  expect((await app.call('POST', path, { token: client.token, body: { reason: 'Mine' } })).status).toBe(403)
  await stop(source.id, { reason: 'Sent forged leads' })
  expect((await stop(source.id, { reason: 'Once more' })).json).toMatchObject({
    stop_reason: 'Sent forged leads',
  })

  const rows = await readAudit(app, 'source_stopped')
  expect(
    rows.filter(({ details }) => details['source_id'] === source.id).map(({ details }) => details),
  ).toEqual([{ source_id: source.id, note: 'Sent forged leads' }])
})
