import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { eraseLead } from '#core/data/leads/erase-lead.ts'
import { createKeyring } from '#core/secrets/keyring.ts'
import { outcomeExpiry } from '#core/secrets/outcome-token.ts'
import { callMembers, givenMember } from '../../accounts/members/given-members.ts'
import { givePricedLead } from '../../market/give-priced-lead.ts'
import { giveLead } from '../give-lead.ts'
import { openOutcomes } from './open-outcomes.ts'

const { app, client, other, crm, addWebhook, tokenOf, post, read, eventsOf } = await openOutcomes()
const { db } = app.context

describe('an address', () => {
  test('that is forged, expired, changed or of nobody is one and the same 404, and changes nothing', async () => {
    const lead = await giveLead(app, client)
    const theirs = await giveLead(app, other)
    const forger = createKeyring(randomBytes(32).toString('base64')).keysFor('outcomes')
    const right = tokenOf(lead)
    const flipped = right.slice(0, -2) + (right.endsWith('A') ? 'BA' : 'AA')
    const tokens = [
      '',
      'lw_outcome_',
      `${right}A`,
      `${right}=`,
      flipped,
      // The lead of the other client, with the signature of an own one.
      `lw_outcome_${Buffer.from(theirs.replaceAll('-', ''), 'hex').toString('base64url').slice(0, 21)}${right.slice(32)}`,
      tokenOf(lead, {}, forger),
      tokenOf(lead, { expires_at: new Date(Date.now() - 1000) }),
      tokenOf(theirs),
      tokenOf(lead, { client_user_id: other.id }),
      tokenOf(lead, { webhook_config_id: await addWebhook(other) }),
      tokenOf(crypto.randomUUID()),
    ]
    const answers = await Promise.all(tokens.map((token) => post(token, { status: 'sold' })))
    const told = new Set(answers.map(({ status, text }) => `${status} ${text}`))
    expect([...told]).toEqual([expect.stringMatching(/^404 .*is not valid, or has ended/)])
    // Not even a fault of the body is told.
    expect((await post(flipped, { status: 'won' })).status).toBe(404)
    for (const kept of [await read(lead), await read(theirs, other)])
      expect(kept).toMatchObject({ disposition: 'new' })
  })

  test('ends with a return, an erasure, another holder, the webhook’s deletion and a suspension', async () => {
    const own = await app.newClient()
    const hook = await addWebhook(own)
    const of = { client_user_id: own.id, webhook_config_id: hook }
    const [returned, erased, kept] = [
      await givePricedLead(app, own),
      await giveLead(app, own),
      await giveLead(app, own),
    ]
    const asked = await app.call('POST', `/api/v1/leads/${returned}/return`, {
      token: own.token,
      body: { reason: 'disconnected_number' },
    })
    const outcome = { status: 'contacted' }
    expect((await post(tokenOf(returned, of), outcome)).status).toBe(200)
    await app.call('POST', `/api/v1/admin/returns/${asked.json.id}/approve`, {
      token: app.admin.token,
      body: {},
    })
    expect((await post(tokenOf(returned, of), { status: 'sold' })).status).toBe(404)

    await post(tokenOf(erased, of), { status: 'contacted', note: 'Rosa called back' })
    await db.transaction().execute((trx) => eraseLead(trx, erased))
    expect((await post(tokenOf(erased, of), { status: 'sold' })).status).toBe(404)
    const { rows } = await sql<{ note: string | null }>`
      select note from lead_outcomes where lead_id = ${erased}`.execute(db)
    expect(rows).toEqual([{ note: null }])

    await sql`update profiles set status = 'suspended' where user_id = ${own.id}`.execute(db)
    expect((await post(tokenOf(kept, of), outcome)).status).toBe(404)
    await sql`update profiles set status = 'active' where user_id = ${own.id}`.execute(db)
    expect((await post(tokenOf(kept, of), outcome)).status).toBe(200)
    await app.call('DELETE', `/api/v1/webhook-configs/${hook}`, { token: own.token })
    expect((await post(tokenOf(kept, of), { status: 'sold' })).status).toBe(404)
  })

  test('of a lead that its client returned and got again counts if it was sent since', async () => {
    const lead = await givePricedLead(app, client)
    const sentAt = (minutes: number) =>
      tokenOf(lead, { expires_at: outcomeExpiry(new Date(Date.now() - minutes * 60_000)) })
    expect((await post(sentAt(1), { status: 'contacted' })).json).toMatchObject({ recorded: true })
    await sql`update lead_assignments set state = 'returned', assigned_at = now() - interval '1 hour' where lead_id = ${lead}`.execute(
      db,
    )
    expect((await post(sentAt(0), { status: 'contacted' })).status).toBe(404)
    await sql`insert into lead_assignments (lead_id, client_user_id) values (${lead}, ${client.id})`.execute(
      db,
    )
    expect((await post(sentAt(1), { status: 'sold' })).status).toBe(404)
    // The same as the last outcome of the time before, and yet a new one.
    expect((await post(sentAt(0), { status: 'contacted' })).json).toMatchObject({
      recorded: true,
      disposition: 'contacted',
    })
    expect(await read(lead)).toMatchObject({ outcomes: [{ outcome: 'contacted' }] })
  })

  test('of a person’s webhook ends when the lead goes to another person of the account, or that person leaves', async () => {
    const [agent, second] = [await givenMember(app, client, 'agent'), await givenMember(app, client, 'agent')]
    const [given, closed] = [await giveLead(app, client), await giveLead(app, client)]
    const hook = await addWebhook(agent)
    await sql`update leads set member_user_id = ${agent.id} where id in (${given}, ${closed})`.execute(db)
    const of = { webhook_config_id: hook }
    expect((await post(tokenOf(given, of), { status: 'contacted' })).status).toBe(200)
    await sql`update leads set member_user_id = ${second.id} where id = ${given}`.execute(db)
    expect((await post(tokenOf(given, of), { status: 'sold' })).status).toBe(404)

    // A closed lead keeps the name of the person who left, but the person's CRM may not ask for its return.
    expect((await post(tokenOf(closed, of), { status: 'sold' })).status).toBe(200)
    expect((await callMembers(app, client, 'DELETE', `/${agent.id}`)).status).toBeLessThan(300)
    expect((await post(tokenOf(closed, of), { status: 'bad_phone' })).status).toBe(404)
  })

  test('survives a rotated secret of its webhook', async () => {
    const lead = await giveLead(app, client)
    const token = tokenOf(lead)
    await app.call('POST', `/api/v1/webhook-configs/${crm}/secret/rotate`, { token: client.token, body: {} })
    expect((await post(token, { status: 'contacted' })).status).toBe(200)
  })

  test('that is opened shows a page and changes nothing; a HEAD and other methods neither', async () => {
    const lead = await giveLead(app, client)
    const at = `/api/v1/outcomes?token=${tokenOf(lead)}&status=sold`
    const page = await app.call('GET', at)
    expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toContain('This is an address for programs')
    expect(page.text).not.toContain('lw_outcome_')
    expect((await app.call('HEAD', at)).status).toBe(200)
    expect((await app.call('PUT', at, { body: { status: 'sold' } })).status).toBe(405)
    expect(await eventsOf(lead)).not.toContain('lead.outcome_received')
  })

  test('of the sample checks an outcome and records nothing', async () => {
    expect((await post('lw_outcome_example', { status: 'sold' })).json).toEqual({
      outcome: 'sold',
      recorded: false,
      disposition: 'sold',
      return: null,
    })
    expect((await post('lw_outcome_example', { status: 'won' })).status).toBe(422)
  })

  test('takes 30 outcomes for a lead in a minute, and a flood of forged ones does not stop others', async () => {
    const lead = await giveLead(app, client)
    const token = tokenOf(lead)
    const answers = await Promise.all(Array.from({ length: 31 }, () => post(token, { status: 'contacted' })))
    const tooMany = answers.filter(({ status }) => status === 429)
    expect(tooMany).toHaveLength(1)
    expect(Number(tooMany[0]?.headers.get('Retry-After'))).toBeGreaterThan(0)
    const forged = await Promise.all(
      Array.from({ length: 70 }, (_one, at) => post(`lw_outcome_${at}`, { status: 'sold' })),
    )
    expect(forged.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(10)
    expect((await post(tokenOf(await giveLead(app, client)), { status: 'sold' })).status).toBe(200)
  })
})
