import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { givePricedLead } from '../../market/give-priced-lead.ts'
import { giveLead } from '../give-lead.ts'
import { openOutcomes } from './open-outcomes.ts'

const { app, client, crm, tokenOf, post, read, eventsOf } = await openOutcomes()
const { db } = app.context

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('an outcome', () => {
  test('changes the disposition, and its timeline and page name the webhook', async () => {
    const lead = await giveLead(app, client)
    const sold = await post(tokenOf(lead), { status: 'Sold', amount: '$1,200.50', note: ' Whole life ' })
    expect([sold.status, sold.json]).toEqual([
      200,
      { outcome: 'sold', recorded: true, disposition: 'sold', return: null },
    ])
    const { timeline, ...page } = await read(lead)
    expect(page).toMatchObject({
      disposition: 'sold',
      outcomes: [{ outcome: 'sold', amount: 1200.5, note: 'Whole life', webhook_name: 'GoHighLevel' }],
    })
    expect(timeline.filter(({ type }) => type !== 'lead.viewed').slice(-2)).toMatchObject([
      {
        type: 'lead.outcome_received',
        data: { webhook_config_id: crm, webhook_name: 'GoHighLevel', reason: 'sold', amount: 1200.5 },
      },
      { type: 'lead.disposition_changed', data: { reason: 'sold' } },
    ])
    expect(await read(lead, app.admin)).toMatchObject({ outcomes: [{ outcome: 'sold' }] })
  })

  test.each([
    ['a form', 'status=follow-up&amount=&note=', FORM, 'follow_up'],
    ['a whole contact with custom data', { status: 'open', customData: { status: 'Quoted' } }, {}, 'quoted'],
    ['a number of dollars', { status: 'sold', amount: 1_000 }, {}, 'sold'],
  ] as const)('is read from %s', async (_name, body, headers, disposition) => {
    const lead = await giveLead(app, client)
    expect((await post(tokenOf(lead), body, headers)).json).toMatchObject({ recorded: true, disposition })
  })

  test('may be posted to the bare address, with its own in the body', async () => {
    const lead = await giveLead(app, client)
    const outcome_url = `${app.url}/api/v1/outcomes?token=${tokenOf(lead)}`
    for (const url of [outcome_url, tokenOf(lead)]) {
      const answer = await app.call('POST', '/api/v1/outcomes', {
        body: { status: 'contacted', outcome_url: url },
      })
      expect(answer).toMatchObject({ status: 200, json: { disposition: 'contacted' } })
    }
  })

  test('is one, if it is posted twice, also at once; a later other one counts', async () => {
    const lead = await giveLead(app, client)
    const token = tokenOf(lead)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post(token, { status: 'contacted', note: 'Left a message' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(answers.filter(({ text }) => text.includes('"recorded":true'))).toHaveLength(1)
    await app.call('PATCH', `/api/v1/leads/${lead}`, { token: client.token, body: { disposition: 'quoted' } })
    await post(token, { status: 'contacted', note: 'Left a message' })
    expect(await read(lead)).toMatchObject({ disposition: 'quoted' })
    expect((await post(token, { status: 'sold' })).json).toMatchObject({ recorded: true })
    expect((await eventsOf(lead)).filter((type) => type === 'lead.outcome_received')).toHaveLength(2)
  })

  test('asks for a return by the rules of every return', async () => {
    const [bad, late, short, twin] = await Promise.all([
      givePricedLead(app, client),
      givePricedLead(app, client, {}, 7),
      givePricedLead(app, client),
      givePricedLead(app, client),
    ])
    expect((await post(tokenOf(bad), { status: 'bad_phone', note: 'No such number' })).json).toMatchObject({
      disposition: 'bad_number',
      return: { requested: true, refusal: null },
    })
    expect(await read(bad)).toMatchObject({
      return: { reason: 'disconnected_number', status: 'pending', asked_by: 'client' },
    })
    expect((await post(tokenOf(late), { status: 'bad_number' })).json).toMatchObject({
      disposition: 'bad_number',
      return: { requested: false, refusal: expect.stringMatching(/^Return window closed/) as unknown },
    })
    expect((await post(tokenOf(short), { status: 'wrong_person', note: 'short' })).json).toMatchObject({
      disposition: 'wrong_person',
      return: { requested: false, refusal: expect.stringContaining('10 characters') as unknown },
    })
    const wrong = { status: 'wrong_person', note: 'It rings at a bakery' }
    expect((await post(tokenOf(short), wrong)).json).toMatchObject({ return: { requested: true } })
    expect((await post(tokenOf(twin), { status: 'duplicate' })).json).toMatchObject({
      disposition: 'new',
      return: { requested: true },
    })
  })

  test('that says do not contact keeps the person from orders', async () => {
    const lead = await giveLead(app, client, { phone: '2025550188', email: 'stop@example.com' })
    await post(tokenOf(lead), { status: 'do_not_contact' })
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from client_suppressions where client_user_id = ${client.id}`.execute(db)
    expect(rows[0]?.count).toBe(2)
  })

  test('of an unknown kind, or with a wrong amount or note, is refused with the values that it may have', async () => {
    const lead = await giveLead(app, client)
    for (const [body, path, message] of [
      [{ status: 'won' }, 'status', /^Must be one of attempted, contacted, .*duplicate$/],
      [undefined, 'status', /^Must be one of/],
      [{ status: 'sold', amount: 'a lot' }, 'amount', /dollars/],
      [{ status: 'sold', amount: -1 }, 'amount', /dollars/],
      [{ status: 'sold', amount: '2025550143' }, 'amount', /below 100,000,000/],
      [{ status: 'sold', note: 'x'.repeat(1001) }, 'note', /1,000 characters/],
      [{ status: 'sold', note: 'a\0b' }, 'note', /NUL/],
    ] as const) {
      const { status, json } = await post(tokenOf(lead), body)
      expect([status, json.errors[0]]).toEqual([
        422,
        { path, message: expect.stringMatching(message) as unknown },
      ])
    }
    expect((await post(tokenOf(lead), { status: 'sold', note: 'x'.repeat(70_000) })).status).toBe(413)
    expect(await read(lead)).toMatchObject({ disposition: 'new' })
  })
})
