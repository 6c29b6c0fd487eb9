import { sql, type RawBuilder } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadConfig } from '#core/config/config.ts'
import { DELIVERY_FAILED } from '#core/contract/market/lead-return.ts'
import { offerTakenBack } from '#core/data/market/sale/undelivered-leads.ts'
import { approveReturn, insertReturn, lockReturn } from '#core/data/market/settle-return.ts'
import { readDecision } from '#core/market/read-decision.ts'
import { assignLeads } from '#core/market/assign-leads.ts'
import { hashContact } from '#core/secrets/suppression-hash.ts'
import { findContradictions } from '#scripts/lab/market/find-contradictions.ts'
import { givenBuyer, givenOffers, givenOrder, topUp } from '../../support/given/market.ts'
import { beginInTheWayOf } from '../../support/given/lock-waits.ts'
import { startPipeline, type TestPipeline } from '../../support/given/pipeline.ts'

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())
beforeEach(async () => {
  // Each test has a market of its own.
  await sql`update orders set deleted_at = now()`.execute(pipeline.db)
})

async function read(id: string | undefined) {
  const { rows } = await sql<Record<string, unknown>>`
    select l.status, l.assigned_to, l.order_id, l.price_charged::text as price, l.duplicate_of, l.reject_reason,
      d.outcome, d.reason, d.refused, d.tries, extract(epoch from l.expires_at - l.created_at) / 3600 as held,
      (select array_agg(e.type || coalesce(' ' || (e.data ->> 'reason'), '') || case when e.planned_at is null then ' waits' else '' end
        order by e.created_at, e.id) from events e where e.lead_id = l.id) as told
    from leads l left join assignment_decisions d on d.lead_id = l.id where l.id = ${id}`.execute(pipeline.db)
  return rows[0] ?? {}
}

/** As if it could not be delivered: credited, and offered to others. */
async function takeBack(lead: string, assignment_id: string, client: string): Promise<void> {
  const asked = { reason: DELIVERY_FAILED, note: null, asked_by: 'system', held_for_review: false } as const
  await pipeline.db.transaction().execute(async (trx) => {
    const id = await insertReturn(trx, { lead_id: lead, assignment_id, client }, asked)
    const request = await lockReturn(trx, { id })
    if (request !== undefined) await approveReturn(trx, request, null, null, 'revoked')
    await offerTakenBack(trx, lead, 24, DELIVERY_FAILED)
  })
}

describe('a lead that is offered', () => {
  test('is sold to the order that is first, and tells why the others did not get it', async () => {
    const { db, context } = pipeline
    const [ann, bob, poor] = [await givenBuyer(db), await givenBuyer(db), await givenBuyer(db, '0')]
    const first = await givenOrder(db, ann, { priority: 1, price: '31.50' })
    const second = await givenOrder(db, bob)
    const elsewhere = await givenOrder(db, bob, { states: ['NY'] })
    const unfunded = await givenOrder(db, poor)
    const [lead = ''] = await givenOffers(db, [{ phone: '+12025550101' }])
    const sales = await assignLeads(context.market, [lead])

    expect(sales).toMatchObject([{ lead_id: lead, client_user_id: ann, order_id: first }])
    const kept = await read(lead)
    expect(kept).toMatchObject({ status: 'assigned', assigned_to: ann, order_id: first, price: '31.50' })
    const why = (await readDecision(db, lead))?.refusals ?? []
    expect(why.map(({ order_id, reason }) => [reason, order_id])).toEqual([
      ['funds', unfunded],
      ['not_first', second],
    ])
    const named = async (id: string) =>
      (await readDecision(db, lead, id))?.refusals.map(({ reason }) => reason)
    expect([await named(second), await named(elsewhere)]).toEqual([['not_first'], []])
    expect(kept['refused']).toEqual({ not_first: 1, funds: 1, state: 1 })
    expect(kept['told']).toEqual(['lead.offered', 'lead.assigned waits'])
    const { balance } = await db
      .selectFrom('profiles')
      .select('balance')
      .where('user_id', '=', ann)
      .executeTakeFirstOrThrow()
    expect(balance).toBe('968.50')

    // Asked again, nothing changes.
    expect(await assignLeads(context.market, [lead])).toEqual([])
    expect(await read(lead)).toEqual(kept)
    expect(await findContradictions(db)).toEqual([])
  })

  test('is held for a day where nobody wants it, tells each reason once, and is sold when somebody does', async () => {
    const { db, context } = pipeline
    const [lead = ''] = await givenOffers(db, [{}])
    await assignLeads(context.market, [lead])
    await assignLeads(context.market, [lead])
    expect(await read(lead)).toMatchObject({
      status: 'unassigned',
      outcome: 'no_buyer',
      reason: 'no_matching_order',
      tries: 2,
      held: '24.0000000000000000',
      told: ['lead.offered', 'lead.unassigned no_matching_order'],
    })
    const client = await givenBuyer(db, '0')
    await givenOrder(db, client)
    await assignLeads(context.market, [lead])
    expect((await read(lead))['reason']).toBe('funds')
    await topUp(db, client, '25.00')
    await assignLeads(context.market, [lead])
    expect(await read(lead)).toMatchObject({ status: 'assigned', assigned_to: client, held: null })
    expect((await read(lead))['told']).toEqual([
      'lead.offered',
      'lead.unassigned no_matching_order',
      'lead.unassigned funds',
      'lead.assigned waits',
    ])
  })

  test('is a duplicate where the same person was sold in thirty days, also in the same batch', async () => {
    const { db, context } = pipeline
    const [ann, bob] = [await givenBuyer(db), await givenBuyer(db)]
    await givenOrder(db, ann, { priority: 1 })
    await givenOrder(db, bob)
    const ids = await givenOffers(db, [
      { phone: '+12025550102', email: 'Twice@example.com' },
      { phone: '+12025550102' },
      { email: 'twice@EXAMPLE.com', phone: '+12025550199' },
      { phone: '+12025550199' },
    ])
    await assignLeads(context.market, ids)
    const [one, two, three, four] = await Promise.all(ids.map(read))
    expect(one).toMatchObject({ status: 'assigned', assigned_to: ann })
    for (const again of [two, three])
      expect(again).toMatchObject({ status: 'duplicate', duplicate_of: ids[0], price: null })
    // The third was sold to nobody, so its number is new.
    expect(four).toMatchObject({ status: 'assigned' })

    await sql`update leads set assigned_at = now() - interval '31 days' where id = ${ids[0]}`.execute(db)
    const [later] = await givenOffers(db, [{ email: 'twice@example.com' }])
    await assignLeads(context.market, [later ?? ''])
    // Within 90 days whoever bought the person before is passed over.
    expect(await read(later)).toMatchObject({
      status: 'assigned',
      assigned_to: bob,
      refused: { sold_to_client_before: 1 },
    })
  })

  test('is a duplicate, and not for the same client, for as many days as the operator says', async () => {
    const { db, context, environment } = pipeline
    const ann = await givenBuyer(db)
    await givenOrder(db, ann)
    const decideBy = async (duplicates: number, resales: number) => {
      const days = { LEAD_DUPLICATE_DAYS: `${duplicates}`, LEAD_RESALE_DAYS: `${resales}` }
      const { market } = loadConfig({ ...environment.env, ...days })
      const leads = await givenOffers(db, [{ phone: '+12025550177' }])
      await assignLeads({ ...context.market, ...market }, leads)
      const { status, assigned_to: holder, reason } = await read(leads[0])
      return [status, holder, reason]
    }
    const [first = ''] = await givenOffers(db, [{ phone: '+12025550177' }])
    await assignLeads(context.market, [first])
    await sql`update leads set assigned_at = now() - interval '100 days' where id = ${first}`.execute(db)

    expect(await decideBy(101, 0)).toEqual(['duplicate', null, 'duplicate'])
    expect(await decideBy(99, 101)).toEqual(['unassigned', null, 'sold_to_client_before'])
    expect(await decideBy(0, 99)).toEqual(['assigned', ann, null])
    // Nor does what was sold a moment ago count.
    expect(await decideBy(0, 0)).toEqual(['assigned', ann, null])
    await sql`update leads set phone = null where phone = '+12025550177'`.execute(db)
    expect(() => loadConfig({ ...environment.env, LEAD_DUPLICATE_DAYS: '366' })).toThrow(
      'LEAD_DUPLICATE_DAYS',
    )
    expect(() => loadConfig({ ...environment.env, LEAD_RESALE_DAYS: '-1' })).toThrow('LEAD_RESALE_DAYS')
  })

  test.each(['another has it since', 'nobody has it since'])(
    'is not for whoever had the same person lately, whose lead was taken back: %s',
    async (since) => {
      const { db, context, environment } = pipeline
      const [ann, bob, carl] = [await givenBuyer(db), await givenBuyer(db), await givenBuyer(db)]
      await givenOrder(db, ann, { priority: 1 })
      const email = `${since.replaceAll(' ', '-')}@example.com`
      const phone = since.startsWith('another') ? '+12025550171' : '+12025550172'
      const [first = ''] = await givenOffers(db, [{ phone, email }])
      const [sale] = await assignLeads(context.market, [first])
      await takeBack(first, sale?.assignment_id ?? '', ann)
      if (since.startsWith('another')) {
        await givenOrder(db, bob, { priority: 2 })
        await assignLeads(context.market, [first])
      } else await sql`update leads set status = 'expired' where id = ${first}`.execute(db)
      const holder = since.startsWith('another') ? bob : null
      expect(await read(first)).toMatchObject({ assigned_to: holder })
      await sql`
        update leads set assigned_at = now() - interval '40 days' where id = ${first} and assigned_to is not null`.execute(
        db,
      )
      await sql`
        update lead_assignments set assigned_at = now() - interval '41 days' where lead_id = ${first}`.execute(
        db,
      )

      await givenOrder(db, carl, { priority: 3 })
      const ids = await givenOffers(db, [{ phone }, { email: email.toUpperCase() }])
      const decideBy = async (days: number, lead: string | undefined) => {
        const { market } = loadConfig({ ...environment.env, LEAD_RESALE_DAYS: `${days}` })
        await assignLeads({ ...context.market, ...market }, [lead ?? ''])
        const { assigned_to: to } = await read(lead)
        await sql`update leads set phone = null, email = null where id = ${lead}`.execute(db)
        return to
      }
      expect(await decideBy(90, ids[0])).toBe(carl)
      // One day too early to be passed over.
      expect(await decideBy(41, ids[1])).toBe(ann)
      expect(await findContradictions(db)).toEqual([])
    },
  )

  test('from where no leads are sold is not even for who wants all states; one without a state is', async () => {
    const { db, context } = pipeline
    const ann = await givenBuyer(db)
    await givenOrder(db, ann)
    await givenOrder(db, ann, { states: ['AE', 'PW'] })
    const ids = await givenOffers(db, [{ state: 'AE' }, { state: 'PW' }, { state: 'PR' }])
    await sql`update leads set state = null where id = ${ids[2]}`.execute(db)
    const [stateless] = ids.splice(2)
    ids.push(...(await givenOffers(db, [{ state: 'GU' }])))
    await assignLeads(context.market, [...ids, stateless ?? ''])
    for (const id of ids.slice(0, 2))
      expect(await read(id)).toMatchObject({
        status: 'unassigned',
        outcome: 'no_buyer',
        reason: 'state_not_sold',
        held: '24.0000000000000000',
        told: ['lead.offered', 'lead.unassigned state_not_sold'],
      })
    for (const id of [ids[2], stateless]) expect(await read(id)).toMatchObject({ assigned_to: ann })
    expect(await findContradictions(db)).toEqual([])
  })

  test('is refused where its phone or e-mail address is on the suppression list', async () => {
    const { db, context } = pipeline
    await givenOrder(db, await givenBuyer(db))
    const hash = hashContact(context.market.suppressionKey, 'email', 'stop@example.com')
    await db.insertInto('suppressions').values({ kind: 'email', hash, reason: 'opted_out' }).execute()
    const ids = await givenOffers(db, [{ email: 'Stop@Example.com' }, { email: 'go@example.com' }])
    await assignLeads(context.market, ids)
    expect(await read(ids[0])).toMatchObject({ status: 'rejected', reject_reason: 'suppressed' })
    expect(await read(ids[1])).toMatchObject({ status: 'assigned' })
  })

  test('is left alone where it is somebody’s, a test, or erased', async () => {
    const { db, context } = pipeline
    const client = await givenBuyer(db)
    await givenOrder(db, client)
    const ids = await givenOffers(db, [{}, {}, {}])
    await sql`update leads set user_id = ${client} where id = ${ids[0]}`.execute(db)
    await sql`update leads set is_test = true where id = ${ids[1]}`.execute(db)
    await sql`update leads set status = 'redacted', redacted_at = now() where id = ${ids[2]}`.execute(db)
    expect(await assignLeads(context.market, ids)).toEqual([])
    expect((await Promise.all(ids.map(read))).map(({ told }) => told)).toEqual(
      ids.map(() => ['lead.offered']),
    )
  })

  test('is not sold to a client who was suspended, or whose order changed, after he was chosen', async () => {
    const { db, context } = pipeline
    const [ann, bob] = [await givenBuyer(db), await givenBuyer(db)]
    const order = await givenOrder(db, ann, { priority: 1 })
    await givenOrder(db, bob)
    const [lead = '', other = ''] = await givenOffers(db, [{}, {}])
    await beginInTheWayOf(
      db,
      (trx) =>
        sql`update orders set paused_by = 'admin', version = version + 1 where id = ${order}`.execute(trx),
      [() => assignLeads(context.market, [lead])],
    )
    expect(await read(lead)).toMatchObject({ assigned_to: bob, refused: { order_paused: 1 } })

    await sql`update orders set paused_by = null where id = ${order}`.execute(db)
    await beginInTheWayOf(
      db,
      (trx) => sql`update profiles set status = 'suspended' where user_id = ${ann}`.execute(trx),
      [() => assignLeads(context.market, [other])],
    )
    expect(await read(other)).toMatchObject({ assigned_to: bob, refused: { account_not_active: 1 } })
    // What was written for the first is gone.
    expect((await read(other))['told']).toEqual(['lead.offered', 'lead.assigned waits'])
    expect(await findContradictions(db)).toEqual([])
  })

  test('is not sold to a client whose balance went after he was chosen, though PostgreSQL refuses the debit', async () => {
    const { db, context } = pipeline
    const [ann, bob] = [await givenBuyer(db), await givenBuyer(db)]
    await givenOrder(db, ann, { priority: 1 })
    await givenOrder(db, bob)
    const ids = await givenOffers(db, [{}, {}])
    const [sales] = await beginInTheWayOf(
      db,
      (trx) => sql`update profiles set balance = 30 where user_id = ${ann}`.execute(trx),
      [() => assignLeads(context.market, ids)],
    )
    expect(sales).toMatchObject({ value: [{ client_user_id: ann }, { client_user_id: bob }] })
    expect(await read(ids[1])).toMatchObject({ assigned_to: bob, refused: { funds: 1 } })
    expect((await read(ids[0]))['told']).toEqual(['lead.offered', 'lead.assigned waits'])
    expect(await findContradictions(db)).toEqual([])
  })

  test('is refused by the suppression list together with what is sold, and takes no turn from it', async () => {
    const { db, context } = pipeline
    const [ann, bob] = [await givenBuyer(db), await givenBuyer(db)]
    await givenOrder(db, ann, { priority: 1, total_cap: 1 })
    await givenOrder(db, bob)
    const hash = hashContact(context.market.suppressionKey, 'phone', '+12025550166')
    await db.insertInto('suppressions').values({ kind: 'phone', hash, reason: 'opted_out' }).execute()
    const ids = await givenOffers(db, [{ phone: '+12025550166' }, { phone: '+12025550167' }])
    await assignLeads(context.market, ids)
    expect(await read(ids[0])).toMatchObject({ status: 'rejected', assigned_to: null })
    expect((await read(ids[0]))['told']).not.toContain('lead.assigned waits')
    expect(await read(ids[1])).toMatchObject({ status: 'assigned', assigned_to: ann })
    expect(await findContradictions(db)).toEqual([])
  })

  test('stays offered where it was taken back, and offered again, while somebody looked at it who found it sold', async () => {
    const { db, context } = pipeline
    await givenOrder(db, await givenBuyer(db))
    const [lead = ''] = await givenOffers(db, [{}])
    const [sale] = await assignLeads(context.market, [lead])
    if (sale === undefined) throw new Error('nobody bought the lead')
    const refresh: typeof context.market.book.refresh = async (trx) => {
      // Behind the look at the lead.
      await sql`select 1`.execute(trx)
      await takeBack(lead, sale.assignment_id, sale.client_user_id)
      return await context.market.book.refresh(trx)
    }
    await assignLeads({ ...context.market, book: { orders: context.market.book.orders, refresh } }, [lead])
    expect(await read(lead)).toMatchObject({ status: 'unassigned', assigned_to: null })
    expect((await read(lead))['told']).toContain('lead.offered waits')
    expect(await findContradictions(db)).toEqual([])
  })

  test('is sold however often orders change while it is decided, because those that were chosen stay locked', async () => {
    const { db, context } = pipeline
    const client = await givenBuyer(db)
    const give = () => givenOrder(db, client, { priority: 50 })
    const orders = await Promise.all(Array.from({ length: 8 }, give))
    const [lead = ''] = await givenOffers(db, [{}])
    const change = async (id: string, what: RawBuilder<unknown>) => {
      const changing = db.transaction().execute(async (other) => {
        await sql`set local lock_timeout = '100ms'`.execute(other)
        await sql`update orders set ${what} where id = ${id}`.execute(other)
      })
      await changing.catch(() => undefined)
    }
    /** Before orders are read another comes first, and changes once more right after, unless it is locked. */
    let reads = 0
    const refresh: typeof context.market.book.refresh = async (trx) => {
      const first = orders[reads % orders.length] ?? ''
      await change(first, sql`priority = ${50 - ++reads}`)
      const read = await context.market.book.refresh(trx)
      await change(first, sql`weight = ${1 + reads}`)
      return read
    }
    const sales = await assignLeads(
      { ...context.market, book: { orders: context.market.book.orders, refresh } },
      [lead],
    )
    expect(sales).toMatchObject([{ lead_id: lead, client_user_id: client }])
    expect(reads).toBe(4)
    expect(await findContradictions(db)).toEqual([])
  })
})
