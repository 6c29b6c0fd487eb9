import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { eraseLead } from '#core/data/leads/erase-lead.ts'
import { changeAssignment } from '#core/data/market/lead-assignments.ts'
import { putUpForSale, writeOffer } from '#core/data/market/sale/moved-leads.ts'
import { lockLead } from '#core/data/market/settle-return.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { giveLead } from '#core/use-cases/market/give-lead.ts'
import { reassignLead } from '#core/use-cases/market/reassign-lead.ts'
import { takeLeadBack } from '#core/use-cases/market/take-lead-back.ts'
import { freshState, givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { assignLead, givenClient, givenLead } from '#tests/support/given/pipeline.ts'
import { setUpFeeds, type Heard } from './support/follow-feed.ts'

const feeds = setUpFeeds()
const followLeads = (account: string, member?: string): Promise<Heard> =>
  feeds.follow(account, { tables: ['leads'], ...(member !== undefined && { member }) })

describe('a lead of a client’s own source', () => {
  test('is told when it is stored, and when it changes, with the row as it is now', async () => {
    const { db } = feeds.pipeline
    const client = await givenClient(db)
    const heard = await followLeads(client)

    const lead = await givenLead(db, client, { deal_size: '25.50' })
    const [stored] = await heard.count(1)
    // The next read shows the change that was announced.
    expect(feeds.told).toContain(client)
    expect(stored).toMatchObject({
      table: 'leads',
      type: 'INSERT',
      record: { id: lead, name: 'Avery Example', deal_size: 25.5, status: 'new', assigned_to: null },
      old_record: null,
      member_user_id: null,
    })
    expect(stored?.columns).toContainEqual({ name: 'deal_size', type: 'numeric' })
    expect(Object.keys(stored?.record ?? {})).toEqual(stored?.columns.map(({ name }) => name))

    await assignLead(db, lead)
    await heard.count(2)
    expect(heard.changes[1]).toMatchObject({
      type: 'UPDATE',
      record: { id: lead, status: 'assigned', assigned_to: client, disposition: 'new' },
      old_record: { id: lead },
    })
    const viewer = { user_id: client, role: 'client' } as const
    await changeAssignment(db, viewer, lead, { disposition: 'contacted' })
    await heard.count(3)
    expect(heard.changes[2]).toMatchObject({ type: 'UPDATE', record: { disposition: 'contacted' } })
    await changeAssignment(db, viewer, lead, { notes: 'Call on Monday' })
    await heard.count(4)
    expect(heard.changes[3]).toMatchObject({ type: 'UPDATE', record: { notes: 'Call on Monday' } })
    // The same notes again are no change.
    await changeAssignment(db, viewer, lead, { notes: 'Call on Monday' })
    await changeAssignment(db, viewer, lead, { notes: null, disposition: 'quoted' })
    await heard.count(5)
    expect(heard.changes[4]).toMatchObject({ type: 'UPDATE', record: { notes: null, disposition: 'quoted' } })
  })

  test('is told once if it changes at once: the insertion with the newest values', async () => {
    const { db } = feeds.pipeline
    const client = await givenClient(db)
    const heard = await followLeads(client)
    const lead = await db.transaction().execute(async (trx) => {
      const lead = { user_id: client, lead_type: 'final_expense', state: 'CA' }
      const { id } = await trx.insertInto('leads').values(lead).returning('id').executeTakeFirstOrThrow()
      const event = { type: 'lead.created', lead_id: id, client_user_id: client } as const
      await trx.insertInto('events').values(event).execute()
      await assignLead(trx, id)
      return id
    })
    await heard.count(1)
    expect(heard.changes).toMatchObject([{ type: 'INSERT', record: { id: lead, status: 'assigned' } }])
  })

  test('tells nobody else, and nothing that was there before', async () => {
    const { db } = feeds.pipeline
    const [client, stranger] = [await givenClient(db), await givenClient(db)]
    await givenLead(db, client)
    const [own, others] = [await followLeads(client), await followLeads(stranger)]

    const lead = await givenLead(db, client)
    await own.count(1)
    const theirs = await givenLead(db, stranger)
    await others.count(1)

    expect(own.of('leads')).toEqual([`INSERT ${lead}`])
    expect(others.of('leads')).toEqual([`INSERT ${theirs}`])
  })

  test('is told as emptied when its person is erased', async () => {
    const { db } = feeds.pipeline
    const client = await givenClient(db)
    const lead = await givenLead(db, client)
    const heard = await followLeads(client)
    await db.transaction().execute((trx) => eraseLead(trx, lead))
    await heard.count(1)
    expect(heard.changes).toMatchObject([
      { type: 'UPDATE', record: { id: lead, status: 'redacted', name: null, email: null } },
    ])
  })
})

describe('a lead of the market', () => {
  let state: string
  let clients: [string, string]
  let orders: [string, string]
  beforeEach(async () => {
    const { db } = feeds.pipeline
    state = freshState()
    clients = [await givenBuyer(db), await givenBuyer(db)]
    orders = [
      await givenOrder(db, clients[0], { states: [state], priority: 9 }),
      await givenOrder(db, clients[1], { states: [state] }),
    ]
  })

  async function sell(): Promise<string> {
    const { context, db } = feeds.pipeline
    const [lead = ''] = await givenOffers(db, [{ state }])
    expect(await assignLeads(context.market, [lead])).toMatchObject([{ client_user_id: clients[0] }])
    return lead
  }

  async function takeBack(lead: string): Promise<void> {
    const { db } = feeds.pipeline
    const { id } = await db
      .selectFrom('lead_assignments')
      .select('id')
      .where('lead_id', '=', lead)
      .executeTakeFirstOrThrow()
    const held = { lead_id: lead, assignment_id: id, client_user_id: clients[0] }
    const taking = { reason: 'wrong_number', by: clients[0], state: 'returned' } as const
    await db.transaction().execute((trx) => takeLeadBack(trx, held, taking))
  }

  test('is new to its buyer only', async () => {
    const [buyer, other] = [await followLeads(clients[0]), await followLeads(clients[1])]
    const lead = await sell()
    await buyer.count(1)
    expect(buyer.changes).toMatchObject([{ type: 'INSERT', record: { id: lead, assigned_to: clients[0] } }])
    expect(other.changes).toEqual([])
  })

  test('leaves its former client as a deletion, and comes to the next as an insertion', async () => {
    const lead = await sell()
    const [former, next] = [await followLeads(clients[0]), await followLeads(clients[1])]
    const wish = { lead_id: lead, order_id: orders[1], by: clients[0] }
    await reassignLead(feeds.pipeline.context.market, wish, async () => {})
    await former.count(1)
    await next.count(1)
    expect(former.changes).toMatchObject([{ type: 'DELETE', record: null, old_record: { id: lead } }])
    expect(next.of('leads')).toEqual([`INSERT ${lead}`])
  })

  test('is hidden from its client when it is returned, and deleted when it is for sale again', async () => {
    const { db } = feeds.pipeline
    const lead = await sell()
    const heard = await followLeads(clients[0])
    await takeBack(lead)
    await heard.count(1)
    expect(heard.changes).toMatchObject([{ type: 'UPDATE', record: { status: 'returned', phone: null } }])

    await db.transaction().execute(async (trx) => {
      await lockLead(trx, lead)
      await putUpForSale(trx, lead, 24)
      await writeOffer(trx, lead)
    })
    await heard.count(2)
    expect(heard.of('leads')).toEqual([`UPDATE ${lead}`, `DELETE ${lead}`])
  })

  test('of an agent is told to that agent, and as a deletion when it is another’s', async () => {
    const { db } = feeds.pipeline
    const [account] = clients
    const [first, second] = [randomUUID(), randomUUID()]
    const [whole, one, two] = [
      await followLeads(account),
      await followLeads(account, first),
      await followLeads(account, second),
    ]
    const lead = await sell()
    await whole.count(1)
    for (const member of [first, second])
      await db
        .transaction()
        .execute((trx) => giveLead(trx, { lead_id: lead, client: account, member, by: account, note: null }))
        .then(() => whole.count(member === first ? 2 : 3))
    await two.count(1)

    expect(whole.of('leads')).toEqual([`INSERT ${lead}`, `UPDATE ${lead}`, `UPDATE ${lead}`])
    expect(whole.changes.map((change) => change.member_user_id)).toEqual([null, first, second])
    expect(one.of('leads')).toEqual([`UPDATE ${lead}`, `DELETE ${lead}`])
    expect(two.of('leads')).toEqual([`UPDATE ${lead}`])
    await takeBack(lead)
    await two.count(2)
    expect(two.of('leads')).toEqual([`UPDATE ${lead}`, `DELETE ${lead}`])
  })

  test('of an agent is a deletion to that agent too when another client gets it', async () => {
    const { context, db } = feeds.pipeline
    const [account] = clients
    const [member, other] = [randomUUID(), randomUUID()]
    const lead = await sell()
    await db
      .transaction()
      .execute((trx) => giveLead(trx, { lead_id: lead, client: account, member, by: account, note: null }))
    const [whole, own, others] = [
      await followLeads(account),
      await followLeads(account, member),
      await followLeads(account, other),
    ]
    const wish = { lead_id: lead, order_id: orders[1], by: account }
    await reassignLead(context.market, wish, async () => {})
    await whole.count(1)
    await own.count(1)
    expect([whole, own, others].map((heard) => heard.of('leads'))).toEqual([
      [`DELETE ${lead}`],
      [`DELETE ${lead}`],
      [],
    ])
  })
})
