import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { waitUntil } from '#tests/support/condition.ts'
import { countWaiting } from '#tests/support/given/lock-waits.ts'
import { freshState, givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { readAudit } from '../market/read-audit.ts'
import { startForTwo } from '../leads/start-for-two.ts'
import { givenDeadLetter } from './dead-letters/give-dead-letter.ts'

const { app, client } = await startForTwo()
const { db } = app.context
const { token } = app.admin

const act = async (method: 'POST' | 'PATCH', path: string, body?: unknown) =>
  await app.call(method, path, { token, body })
const sell = (lead: string, reason?: string) =>
  act('POST', '/api/v1/rpc/assign_lead_to_buyer_concurrent', { lead_id_param: lead, reason_param: reason })
const erase = (lead: string, body?: unknown) => act('POST', `/api/v1/admin/leads/${lead}/erase`, body)

test('a lead that an administrator sells by hand is in the audit log of its buyer, once', async () => {
  const state = freshState()
  const buyer = await givenBuyer(db)
  const order = await givenOrder(db, buyer, { states: [state] })
  const [lead = ''] = await givenOffers(db, [{ state }])
  const { json } = await sell(lead, 'The client asked for it on the phone')
  await sell(lead, 'Once more')

  expect(await readAudit(app, 'lead_assigned_by_hand', buyer)).toMatchObject([
    {
      actor: 'admin',
      actor_id: app.admin.id,
      details: {
        lead_id: lead,
        order_id: order,
        assignment_id: json.assignment_id,
        note: 'The client asked for it on the phone',
      },
    },
  ])
})

test('a lead can be sold by hand without a reason, but not with one that names the person', async () => {
  const state = freshState()
  const buyer = await givenBuyer(db)
  await givenOrder(db, buyer, { states: [state] })
  const [lead = ''] = await givenOffers(db, [{ state, email: 'rosa@example.com' }])
  const naming = await sell(lead, 'Call of Rosa@Example.com')
  expect(naming.json.errors).toMatchObject([{ path: 'reason_param' }])
  expect((await sell(lead, 'x'.repeat(501))).json.errors).toMatchObject([{ path: 'reason_param' }])
  expect((await sell(lead)).json).toMatchObject({ success: true })

  expect(await readAudit(app, 'lead_assigned_by_hand', buyer)).toMatchObject([{ details: { note: null } }])
})

test('a lead that found no buyer by hand is not in the audit log', async () => {
  const before = await readAudit(app, 'lead_assigned_by_hand')
  const [lead = ''] = await givenOffers(db, [{ state: freshState() }])
  expect((await sell(lead)).json).toMatchObject({ success: false })

  expect(await readAudit(app, 'lead_assigned_by_hand')).toEqual(before)
})

test('an erasure needs a reason that names no person, and is in the audit log once', async () => {
  const person = { name: 'José Example', email: 'rosa@example.com', phone: '+12025550143' }
  const [lead = ''] = await givenOffers(db, [person])
  for (const reason of [
    undefined,
    null,
    ' \u200b',
    'x'.repeat(501),
    'Wish of ROSA@example.com',
    'jose  example wrote to us',
    'By phone, (202) 555-0143',
  ])
    expect((await erase(lead, { reason })).json.errors, String(reason)).toMatchObject([{ path: 'reason' }])
  expect((await erase(lead)).status).toBe(422)
  expect(await readAudit(app, 'lead_erased')).toEqual([])
  for (const reason of ['Asked for it by letter', 'Once more'])
    expect((await erase(lead, { reason })).status).toBe(200)

  expect((await readAudit(app, 'lead_erased')).map(({ details }) => details)).toEqual([
    { lead_id: lead, note: 'Asked for it by letter' },
  ])
})

test('a redrive is in the audit log with its selection, but not a dry run', async () => {
  await givenDeadLetter(app, client)
  const filter = { client: client.id }
  await act('POST', '/api/v1/admin/dead-letters/redrive', { filter, dry_run: true })
  expect(await readAudit(app, 'dead_letters_redriven')).toEqual([])
  await act('POST', '/api/v1/admin/dead-letters/redrive', { filter })

  expect(await readAudit(app, 'dead_letters_redriven')).toMatchObject([{ details: { count: 1, filter } }])
})

test('two simultaneous redrives of one dead letter leave one audit entry: that of the redrive that sends it', async () => {
  const other = await app.newClient()
  const letter = await givenDeadLetter(app, other)
  const redrive = (fields = {}) =>
    act('POST', '/api/v1/admin/dead-letters/redrive', { ids: [letter], ...fields })
  const before = await readAudit(app, 'dead_letters_redriven')
  const both: Promise<unknown>[] = []
  await db.transaction().execute(async (trx) => {
    await sql`select from client_webhook_configs where client_user_id = ${other.id} for update`.execute(trx)
    both.push(redrive())
    await waitUntil(async () => (await countWaiting(db)) > 0, { what: 'The first one waiting' })
    both.push(redrive())
    // By then the second redrive has counted the dead letter, too.
    await redrive({ dry_run: true })
  })
  await Promise.all(both)

  expect(await readAudit(app, 'dead_letters_redriven')).toHaveLength(before.length + 1)
})

test('answering a message and undoing that is in the audit log, once each', async () => {
  const { id } = await db
    .insertInto('contact_messages')
    .values({
      reference: 'LW-EXAMPLE',
      name: 'Rosa',
      email: 'rosa@example.com',
      topic: 'question',
      message: 'Hello there',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const answered of [true, true, false, false])
    await act('PATCH', `/api/v1/admin/contact-messages/${id}`, { answered })

  for (const action of ['contact_message_answered', 'contact_message_reopened'])
    expect(await readAudit(app, action)).toMatchObject([{ details: { message_id: id } }])
})
