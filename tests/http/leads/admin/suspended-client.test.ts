import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { CLIENT_SUSPENDED } from '#core/contract/leads/posting-answers.ts'
import { newLead, type CallResult } from '../../support/start-app.ts'
import { startWithSource } from '../receive/start-with-source.ts'

const { app, source: nobodys, post, count } = await startWithSource()

/** Creates a client, a source of theirs that this server has just seen, and a lead of that source. */
async function giveSource() {
  const owner = await app.newClient()
  const source = await app.newSource({ owner })
  const lead = newLead()
  expect((await post(lead, {}, source.key)).status).toBe(201)
  return { owner, ...source, lead }
}

const suspend = (client: string) =>
  app.call('POST', `/api/v1/admin/clients/${client}/suspend`, {
    token: app.admin.token,
    body: { reason: 'Card was stolen' },
  })
const refusal = ({ status, json }: CallResult) => ({ status, code: json.code, detail: json.detail })
const REFUSED = { status: 403, code: 'forbidden', detail: CLIENT_SUSPENDED }

describe('leads of a source whose client is suspended', () => {
  test.each([
    ['a new lead', (_before: Record<string, unknown>) => newLead()],
    ['the repeat of a lead that is there', (before: Record<string, unknown>) => before],
    ['a lead with faults', () => ({ name: 'No one' })],
    ['a test lead', () => ({ ...newLead(), is_test: true })],
  ])('%s are refused at once, and nothing is stored', async (_what, make) => {
    const { owner, key, lead } = await giveSource()
    expect((await suspend(owner.id)).status).toBe(200)
    const before = await count('events')

    expect(refusal(await post(make(lead), {}, key))).toEqual(REFUSED)
    expect(await count('events')).toBe(before)
  })

  test.each([
    ['leads', () => [newLead(), newLead()]],
    ['faults alone', () => [{ name: 'No one' }]],
  ])('in a batch of %s are refused too', async (_what, make) => {
    const { owner, key } = await giveSource()
    await suspend(owner.id)

    const answer = await app.call('POST', '/api/v1/leads/batch', { token: key, body: make() })
    expect(refusal(answer)).toEqual(REFUSED)
  })

  test('are accepted again as soon as the client is resumed, and belong to the client', async () => {
    const { owner, key } = await giveSource()
    await suspend(owner.id)
    const lead = newLead()
    expect((await post(lead, {}, key)).status).toBe(403)
    await app.call('POST', `/api/v1/admin/clients/${owner.id}/resume`, { token: app.admin.token, body: {} })
    const taken = await post(lead, {}, key)
    expect(taken.status).toBe(201)
    const seen = await app.call('GET', `/api/v1/leads/${taken.json.lead_id}`, { token: owner.token })
    expect(seen.json).toMatchObject({ status: 'assigned', assigned_to: owner.id })
  })
})

test('leads that arrive together with those of a suspended client are stored', async () => {
  const { owner, key } = await giveSource()
  await sql`update profiles set status = 'suspended' where user_id = ${owner.id}`.execute(app.context.db)
  const keys = [nobodys.key, key, nobodys.key, key, nobodys.key]
  const answers = await Promise.all(keys.map((one) => post(newLead(), {}, one)))

  expect(answers.map(({ status }) => status)).toEqual([201, 403, 201, 403, 201])
})
