import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadConfig } from '#core/config/config.ts'
import { readDecision } from '#core/use-cases/market/read-decision.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { hashContact } from '#core/secrets/suppression-hash.ts'
import { findContradictions } from '#scripts/lab/market/find-contradictions.ts'
import { givenBuyer, givenOffers, givenOrder, topUp } from '#tests/support/given/market.ts'
import { startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { readOffered, takeBack } from './offered-lead.ts'

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())
beforeEach(async () => {
  // Each test has a market of its own.
  await sql`update orders set deleted_at = now()`.execute(pipeline.db)
})

describe('a lead on the market', () => {
  test('is sold to the first order, and its decision says why the others did not get it', async () => {
    const { db, context } = pipeline
    const [ann, bob, poor] = [await givenBuyer(db), await givenBuyer(db), await givenBuyer(db, '0')]
    const first = await givenOrder(db, ann, { priority: 1, price: '31.50' })
    const second = await givenOrder(db, bob)
    const elsewhere = await givenOrder(db, bob, { states: ['NY'] })
    const unfunded = await givenOrder(db, poor)
    const [lead = ''] = await givenOffers(db, [{ phone: '+12025550101' }])
    const sales = await assignLeads(context.market, [lead])

    expect(sales).toMatchObject([{ lead_id: lead, client_user_id: ann, order_id: first }])
    const kept = await readOffered(pipeline.db, lead)
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

    // A repeated call changes nothing.
    expect(await assignLeads(context.market, [lead])).toEqual([])
    expect(await readOffered(pipeline.db, lead)).toEqual(kept)
    expect(await findContradictions(db)).toEqual([])
  })

  test('is held for a day if nobody wants it, reports each reason once, and is sold when somebody wants it', async () => {
    const { db, context } = pipeline
    const [lead = ''] = await givenOffers(db, [{}])
    await assignLeads(context.market, [lead])
    await assignLeads(context.market, [lead])
    expect(await readOffered(pipeline.db, lead)).toMatchObject({
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
    expect((await readOffered(pipeline.db, lead))['reason']).toBe('funds')
    await topUp(db, client, '25.00')
    await assignLeads(context.market, [lead])
    expect(await readOffered(pipeline.db, lead)).toMatchObject({
      status: 'assigned',
      assigned_to: client,
      held: null,
    })
    expect((await readOffered(pipeline.db, lead))['told']).toEqual([
      'lead.offered',
      'lead.unassigned no_matching_order',
      'lead.unassigned funds',
      'lead.assigned waits',
    ])
  })

  test('is a duplicate if the same person was sold within thirty days, also in the same batch', async () => {
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
    const [one, two, three, four] = await Promise.all(ids.map((id) => readOffered(pipeline.db, id)))
    expect(one).toMatchObject({ status: 'assigned', assigned_to: ann })
    for (const again of [two, three])
      expect(again).toMatchObject({ status: 'duplicate', duplicate_of: ids[0], price: null })
    // The third lead was not sold, so its number is new.
    expect(four).toMatchObject({ status: 'assigned' })

    await sql`update leads set assigned_at = now() - interval '31 days' where id = ${ids[0]}`.execute(db)
    const [later] = await givenOffers(db, [{ email: 'twice@example.com' }])
    await assignLeads(context.market, [later ?? ''])
    // For 90 days a client who has bought the person before is passed over.
    expect(await readOffered(pipeline.db, later)).toMatchObject({
      status: 'assigned',
      assigned_to: bob,
      refused: { sold_to_client_before: 1 },
    })
  })

  test('is a duplicate, and not resold to a client, for the number of days that the operator has set', async () => {
    const { db, context, environment } = pipeline
    const ann = await givenBuyer(db)
    await givenOrder(db, ann)
    const decideBy = async (duplicates: number, resales: number) => {
      const days = { LEAD_DUPLICATE_DAYS: `${duplicates}`, LEAD_RESALE_DAYS: `${resales}` }
      const { market } = loadConfig({ ...environment.env, ...days })
      const leads = await givenOffers(db, [{ phone: '+12025550177' }])
      await assignLeads({ ...context.market, ...market }, leads)
      const { status, assigned_to: holder, reason } = await readOffered(pipeline.db, leads[0])
      return [status, holder, reason]
    }
    const [first = ''] = await givenOffers(db, [{ phone: '+12025550177' }])
    await assignLeads(context.market, [first])
    await sql`update leads set assigned_at = now() - interval '100 days' where id = ${first}`.execute(db)

    expect(await decideBy(101, 0)).toEqual(['duplicate', null, 'duplicate'])
    expect(await decideBy(99, 101)).toEqual(['unassigned', null, 'sold_to_client_before'])
    expect(await decideBy(0, 99)).toEqual(['assigned', ann, null])
    // A sale of a moment ago does not count either.
    expect(await decideBy(0, 0)).toEqual(['assigned', ann, null])
    await sql`update leads set phone = null where phone = '+12025550177'`.execute(db)
    expect(() => loadConfig({ ...environment.env, LEAD_DUPLICATE_DAYS: '366' })).toThrow(
      'LEAD_DUPLICATE_DAYS',
    )
    expect(() => loadConfig({ ...environment.env, LEAD_RESALE_DAYS: '-1' })).toThrow('LEAD_RESALE_DAYS')
  })

  test('is judged and held by the settings of the marketplace, which win over the environment', async () => {
    const { db, context } = pipeline
    const set = async (key: string, value: string) => {
      await sql`insert into marketplace_settings (key, value, reason) values (${key}, ${value}, 'Test')
        on conflict (key) do update set value = excluded.value`.execute(db)
      await context.market.refreshRules()
    }
    const phone = '+12025550178'
    await givenOrder(db, await givenBuyer(db))
    const sell = async () => {
      const [lead = ''] = await givenOffers(db, [{ phone }])
      await assignLeads(context.market, [lead])
      return (await readOffered(db, lead))['status']
    }
    expect([await sell(), await sell()]).toEqual(['assigned', 'duplicate'])
    await set('duplicate_days', '0')
    await set('resale_days', '0')
    expect(await sell()).toBe('assigned')
    await set('duplicate_days', '')
    expect(await sell()).toBe('duplicate')

    await sql`update orders set deleted_at = now()`.execute(db)
    await set('hold_hours', '2')
    const [held = ''] = await givenOffers(db, [{}])
    await assignLeads(context.market, [held])
    const { rows } = await sql<{ hours: number }>`
      select extract(epoch from expires_at - created_at)::int / 3600 as hours from leads where id = ${held}`.execute(
      db,
    )
    expect(rows).toEqual([{ hours: 2 }])
    for (const key of ['hold_hours', 'resale_days', 'duplicate_days']) await set(key, '')
    expect(context.market).toMatchObject({
      holdHours: context.config.market.holdHours,
      windows: context.config.market.windows,
    })
    await sql`update leads set phone = null where phone = ${phone}`.execute(db)
  })

  test.each(['another client has the lead', 'nobody has the lead'])(
    'is not sold to a client from whom the same person’s lead was recently taken back: %s',
    async (since) => {
      const { db, context, environment } = pipeline
      const [ann, bob, carl] = [await givenBuyer(db), await givenBuyer(db), await givenBuyer(db)]
      await givenOrder(db, ann, { priority: 1 })
      const email = `${since.replaceAll(' ', '-')}@example.com`
      const phone = since.startsWith('another') ? '+12025550171' : '+12025550172'
      const [first = ''] = await givenOffers(db, [{ phone, email }])
      const [sale] = await assignLeads(context.market, [first])
      await takeBack(pipeline.db, first, { assignment_id: sale?.assignment_id ?? '', client: ann })
      if (since.startsWith('another')) {
        await givenOrder(db, bob, { priority: 2 })
        await assignLeads(context.market, [first])
      } else await sql`update leads set status = 'expired' where id = ${first}`.execute(db)
      const holder = since.startsWith('another') ? bob : null
      expect(await readOffered(pipeline.db, first)).toMatchObject({ assigned_to: holder })
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
        const { assigned_to: to } = await readOffered(pipeline.db, lead)
        await sql`update leads set phone = null, email = null where id = ${lead}`.execute(db)
        return to
      }
      expect(await decideBy(90, ids[0])).toBe(carl)
      // One day too early to be passed over.
      expect(await decideBy(41, ids[1])).toBe(ann)
      expect(await findContradictions(db)).toEqual([])
    },
  )

  test('is refused if sales in its state are not allowed, even for an order for all states; without a state it is not refused', async () => {
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
      expect(await readOffered(pipeline.db, id)).toMatchObject({
        status: 'unassigned',
        outcome: 'no_buyer',
        reason: 'state_not_sold',
        held: '24.0000000000000000',
        told: ['lead.offered', 'lead.unassigned state_not_sold'],
      })
    for (const id of [ids[2], stateless])
      expect(await readOffered(pipeline.db, id)).toMatchObject({ assigned_to: ann })
    expect(await findContradictions(db)).toEqual([])
  })

  test('is refused if its phone or e-mail address is on the suppression list', async () => {
    const { db, context } = pipeline
    await givenOrder(db, await givenBuyer(db))
    const [hash = Buffer.of()] = hashContact(context.market.suppressionKeys, 'email', 'stop@example.com')
    await db.insertInto('suppressions').values({ kind: 'email', hash, reason: 'opted_out' }).execute()
    const ids = await givenOffers(db, [{ email: 'Stop@Example.com' }, { email: 'go@example.com' }])
    await assignLeads(context.market, ids)
    expect(await readOffered(pipeline.db, ids[0])).toMatchObject({
      status: 'rejected',
      reject_reason: 'suppressed',
    })
    expect(await readOffered(pipeline.db, ids[1])).toMatchObject({ status: 'assigned' })
  })

  test('is left alone if it has an owner, is a test, or is erased', async () => {
    const { db, context } = pipeline
    const client = await givenBuyer(db)
    await givenOrder(db, client)
    const ids = await givenOffers(db, [{}, {}, {}])
    await sql`update leads set user_id = ${client} where id = ${ids[0]}`.execute(db)
    await sql`update leads set is_test = true where id = ${ids[1]}`.execute(db)
    await sql`update leads set status = 'redacted', redacted_at = now() where id = ${ids[2]}`.execute(db)
    expect(await assignLeads(context.market, ids)).toEqual([])
    expect(
      (await Promise.all(ids.map((id) => readOffered(pipeline.db, id)))).map(({ told }) => told),
    ).toEqual(ids.map(() => ['lead.offered']))
  })
})
