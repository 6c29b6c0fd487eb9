import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { leadStorySchema } from '#core/contract/leads/admin-lead.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { recallNextLead, finishRecall } from '#core/use-cases/market/recall-lead.ts'
import { createRecallLeads } from '#worker/housekeeping/market/recall-leads.ts'
import { freshState, givenBuyer, givenOffers, givenOrder, topUp } from '#tests/support/given/market.ts'
import { readAudit } from '../../market/read-audit.ts'
import { startForTwo } from '../start-for-two.ts'

const { app, client, other, get } = await startForTwo()
const { db, market } = app.context

beforeAll(async () => {
  for (const person of [client, other]) {
    await sql`update client_accounts set status = 'active' where user_id = ${person.id}`.execute(db)
    await topUp(db, person.id, '10000.00')
  }
})

const act = async (path: string, body: unknown, token = app.admin.token) =>
  await app.call('POST', `/api/v1/admin/${path}`, { token, body })
const storyOf = async (lead: string) =>
  leadStorySchema.parse((await get(`/api/v1/admin/leads/${lead}`, app.admin)).json)
const balanceOf = async (id: string) =>
  (await db.selectFrom('profiles').select('balance').where('user_id', '=', id).executeTakeFirst())?.balance

/** Sells a lead to the first client; the other has an order that comes later. */
async function givenSold(fields: Parameters<typeof givenOffers>[1][number] = {}) {
  const state = freshState()
  await givenOrder(db, client.id, { states: [state], priority: 1 })
  const order = await givenOrder(db, other.id, { states: [state], priority: 9 })
  const [lead = ''] = await givenOffers(db, [{ state, email: `${randomUUID()}@example.com`, ...fields }])
  await assignLeads(market, [lead])
  return { lead, order }
}

test('an administrator reassigns a lead; the former client reads that it was returned, and nothing of the person', async () => {
  const { lead, order } = await givenSold({ phone: '+12025550161' })
  const before = [await balanceOf(client.id), await balanceOf(other.id)].map(Number)
  const body = { order_id: order, reason: 'Wrong territory' }
  expect((await act(`leads/${lead}/reassign`, body)).json).toMatchObject({
    client_user_id: other.id,
    order_id: order,
    price: '25.00',
    credited: '25.00',
  })
  expect([await balanceOf(client.id), await balanceOf(other.id)].map(Number)).toEqual([
    (before[0] ?? 0) + 25,
    (before[1] ?? 0) - 25,
  ])
  const seen = (await get(`/api/v1/leads/${lead}`)).json
  expect(seen).toMatchObject({ status: 'returned', name: 'Returned: do not contact', phone: null })
  expect(JSON.stringify(seen)).not.toContain(other.id)
  expect(await storyOf(lead)).toMatchObject({
    holders: [{ state: 'revoked' }, { state: 'active', client: { user_id: other.id } }],
    money: [{ amount: '-25.00' }, { amount: '25.00' }, { amount: '-25.00' }],
    returns: [{ reason: 'taken_back', status: 'approved', asked_by: 'admin' }],
  })
  expect((await act(`leads/${lead}/reassign`, body)).status).toBe(409)
  expect(await readAudit(app, 'lead_reassigned', other.id)).toMatchObject([
    {
      details: {
        lead_id: lead,
        before: { client_user_id: client.id, credited: '25.00' },
        after: { client_user_id: other.id, order_id: order, price: '25.00' },
        note: 'Wrong territory',
      },
    },
  ])
})

test('a lead is returned on its client’s behalf once, and offered again to everybody else', async () => {
  const { lead } = await givenSold()
  const body = { reason: 'wrong_state', note: 'Called the client' }
  expect((await act(`leads/${lead}/offer-again`, { reason: 'Too early' })).status).toBe(409)
  expect((await act(`leads/${lead}/return`, body)).status).toBe(204)
  expect((await act(`leads/${lead}/return`, body)).status).toBe(409)
  expect(await storyOf(lead)).toMatchObject({
    holders: [{ state: 'returned' }],
    returns: [{ reason: 'wrong_state', asked_by: 'admin', status: 'approved', note: null }],
  })
  expect((await act(`leads/${lead}/offer-again`, { reason: 'It is good' })).status).toBe(204)
  await assignLeads(market, [lead])
  expect(await storyOf(lead)).toMatchObject({
    holders: [{ state: 'revoked' }, { state: 'active', client: { user_id: other.id } }],
  })
  const [returned] = await readAudit(app, 'lead_returned_for_client', client.id)
  expect(returned?.details).toMatchObject({ lead_id: lead, amount: '25.00', note: 'Called the client' })
  expect(await readAudit(app, 'lead_offered_again')).toMatchObject([{ details: { lead_id: lead } }])
})

test('a person is suppressed from the lead’s page', async () => {
  const { lead } = await givenSold({ phone: '+12025550162' })
  const body = { reason: 'litigator', note: 'Letter of a lawyer' }
  expect((await act(`leads/${lead}/suppress`, body)).json).toEqual({ added: 2 })
  expect((await act(`leads/${lead}/suppress`, body)).json).toEqual({ added: 0 })
})

test('a recall counts before, returns each sold lead of the source once, and tells each client once', async () => {
  const source = (await app.newSource()).id
  const { lead: first } = await givenSold({ source_id: source })
  const { lead: second } = await givenSold({ source_id: source })
  const { lead: spared } = await givenSold()
  const span = 'from=2026-01-01T00:00:00Z&to=2030-01-01T00:00:00Z'
  const preview = await get(`/api/v1/admin/lead-recalls/preview?source=${source}&${span}`, app.admin)
  expect(preview.json).toEqual({ leads: 2, amount: '50.00', clients: 1 })
  const body = {
    source_id: source,
    from: '2026-01-01T00:00:00Z',
    to: '2030-01-01T00:00:00Z',
    reason: 'Invented people',
  }
  const begun = await act('lead-recalls', body)
  expect(begun).toMatchObject({ status: 202, json: { leads: 2, waiting: 2, returned: 0, ended_at: null } })
  expect((await act('lead-recalls', body)).status).toBe(409)
  // One of them is gone meanwhile.
  expect((await act(`leads/${second}/return`, { reason: 'language', note: 'Asked' })).status).toBe(204)

  const recall = { id: begun.json.id, created_by: app.admin.id }
  while (await db.transaction().execute((trx) => recallNextLead(trx, recall)));
  for (let times = 0; times < 2; times += 1)
    await db.transaction().execute((trx) => finishRecall(trx, recall.id))
  expect((await get('/api/v1/admin/lead-recalls', app.admin)).json.data).toMatchObject([
    { id: recall.id, returned: 1, skipped: 1, waiting: 0, credited: '25.00', source: { id: source } },
  ])
  expect((await storyOf(first)).returns).toMatchObject([{ reason: 'recalled', status: 'approved' }])
  expect((await storyOf(spared)).returns).toEqual([])
  const mails = await sql<{
    data: unknown
  }>`select data from mails where template = 'leads_recalled'`.execute(db)
  expect(mails.rows).toEqual([{ data: { leads: 1, amount: '25.00' } }])
  expect((await act('lead-recalls', body)).json.detail).toContain('No sold lead')
  expect(await readAudit(app, 'leads_recalled')).toMatchObject([
    { details: { source_id: source, leads: 2, amount: '50.00', note: 'Invented people' } },
  ])
})

test('a recall skips a lead of an erased client and one that always fails, and goes on to the others and newer recalls', async () => {
  const [source, newer] = [(await app.newSource()).id, (await app.newSource()).id]
  const buyer = await givenBuyer(db)
  const state = freshState()
  await givenOrder(db, buyer, { states: [state], priority: 1 })
  const [ofErased = ''] = await givenOffers(db, [{ state, source_id: source }])
  await assignLeads(market, [ofErased])
  const { lead: failing } = await givenSold({ source_id: source })
  const { lead: good } = await givenSold({ source_id: source })
  const { lead: next } = await givenSold({ source_id: newer })
  for (const source_id of [source, newer]) {
    const range = { source_id, from: '2026-01-01T00:00:00Z', to: '2030-01-01T00:00:00Z', reason: 'Invented' }
    expect((await act('lead-recalls', range)).status).toBe(202)
  }
  await sql`update auth.users set deleted_at = now() where id = ${buyer}`.execute(db)
  await sql`
    create function fail_always() returns trigger language plpgsql as $$ begin raise 'fails'; end $$`.execute(
    db,
  )
  await sql`
    create trigger fail_always before insert on lead_returns for each row
    when (new.lead_id = ${sql.lit(failing)}) execute function fail_always()`.execute(db)

  await createRecallLeads(app.context)(new AbortController().signal)
  await sql`drop function fail_always cascade`.execute(db)
  expect((await get('/api/v1/admin/lead-recalls', app.admin)).json.data.slice(0, 2)).toMatchObject([
    { source: { id: newer }, returned: 1, skipped: 0, waiting: 0 },
    { source: { id: source }, returned: 1, skipped: 2, waiting: 0 },
  ])
  for (const lead of [ofErased, failing]) expect((await storyOf(lead)).returns).toEqual([])
  for (const lead of [good, next]) expect((await storyOf(lead)).returns).toHaveLength(1)
})

test('bad input is refused by name, a name in a reason too, and a client may do none of it', async () => {
  const { lead, order } = await givenSold({ phone: '+12025550163' })
  for (const [path, body, field] of [
    [`leads/${lead}/reassign`, { order_id: 'x', reason: 'Why' }, 'order_id'],
    [`leads/${lead}/reassign`, { order_id: order, reason: ' ' }, 'reason'],
    [`leads/${lead}/reassign`, { order_id: order, reason: 'Call (202) 555-0163' }, 'reason'],
    [`leads/${lead}/offer-again`, {}, 'reason'],
    [`leads/${lead}/return`, { reason: 'price', note: 'Why' }, 'reason'],
    [`leads/${lead}/return`, { reason: 'language', note: '202-555-0163' }, 'note'],
    [`leads/${lead}/suppress`, { reason: 'x', note: 'Why' }, 'reason'],
    ['lead-recalls', { source_id: randomUUID(), from: '2026-02-01', to: '2026-01-01', reason: 'Why' }, 'to'],
    ['lead-recalls', { source_id: 'x', from: '2026-01-01', to: '2026-02-01', reason: 'Why' }, 'source_id'],
  ] as const)
    expect((await act(path, body)).json.errors, JSON.stringify(body)).toMatchObject([{ path: field }])
  const valid = {
    reassign: { order_id: order, reason: 'Why' },
    'offer-again': { reason: 'Why' },
    return: { reason: 'language', note: 'Why' },
    suppress: { reason: 'litigator', note: 'Why' },
  }
  for (const [action, body] of Object.entries(valid)) {
    expect((await act(`leads/${lead}/${action}`, body, client.token)).status, action).toBe(403)
    expect((await act(`leads/${randomUUID()}/${action}`, body)).status, action).toBe(404)
  }
  const range = { source_id: randomUUID(), from: '2026-01-01', to: '2026-02-01', reason: 'Why' }
  expect((await act('lead-recalls', range)).status).toBe(404)
  expect((await act('lead-recalls', range, client.token)).status).toBe(403)
  expect((await storyOf(lead)).holders).toHaveLength(1)
})
