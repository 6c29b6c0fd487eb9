import { expect, test } from 'vitest'
import { assignLead, givenClient, givenLead } from '#tests/support/given/pipeline.ts'
import { setUpFeeds } from './support/follow-feed.ts'

const feeds = setUpFeeds()

test('tells a client of a new lead, and then of its change, with the row as it is now', async () => {
  const { db } = feeds.pipeline
  const client = await givenClient(db)
  const heard = await feeds.follow(client)

  const lead = await givenLead(db, client, { deal_size: '25.50' })
  const [stored] = await heard.count(1)
  expect(stored).toMatchObject({
    table: 'leads',
    type: 'INSERT',
    record: { id: lead, name: 'Avery Example', deal_size: 25.5, status: 'new', assigned_to: null },
    old_record: null,
    member_user_id: null,
  })
  expect(stored?.columns).toContainEqual({ name: 'deal_size', type: 'numeric' })

  await assignLead(db, lead)
  await heard.count(2)
  expect(heard.changes[1]).toMatchObject({
    type: 'UPDATE',
    record: { id: lead, status: 'assigned', assigned_to: client, disposition: 'new' },
    old_record: { id: lead },
  })
})

test('tells nobody else, and nothing that was there before', async () => {
  const { db } = feeds.pipeline
  const [client, stranger] = [await givenClient(db), await givenClient(db)]
  const before = await givenLead(db, client)
  const [own, others] = [await feeds.follow(client), await feeds.follow(stranger)]

  const lead = await givenLead(db, client)
  await own.count(1)
  const theirs = await givenLead(db, stranger)
  await others.count(1)

  expect(own.of('leads')).toEqual([`INSERT ${lead}`])
  expect(others.of('leads')).toEqual([`INSERT ${theirs}`])
  expect(own.of('leads')).not.toContain(before)
})
