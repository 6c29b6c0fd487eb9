import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { revokeSource } from '#core/data/leads/sources/sources.ts'
import { newLead, type CallResult } from '../../support/start-app.ts'
import { startWithSource } from '../receive/start-with-source.ts'

const { app, post, count } = await startWithSource()

/** Creates a source whose key this server has just seen, and revokes it through another server. */
async function revokeElsewhere() {
  const source = await app.newSource()
  const lead = newLead()
  expect((await post(lead, {}, source.key)).status).toBe(201)
  await revokeSource(app.context.db, source.id)
  return { ...source, lead }
}

const refusal = ({ status, json, headers }: CallResult) => ({
  status,
  code: json.code,
  asks: headers.get('www-authenticate'),
})
const REFUSED = { status: 401, code: 'invalid_api_key', asks: 'Bearer' }

test.each([
  ['a new lead', (_before: Record<string, unknown>) => newLead()],
  ['the repeat of a lead that is there', (before: Record<string, unknown>) => before],
  ['a lead with faults', () => ({ name: 'No one' })],
])('%s under a key that another server has just revoked is refused at once', async (_what, make) => {
  const { key, lead } = await revokeElsewhere()
  const before = await count('leads')

  expect(refusal(await post(make(lead), {}, key))).toEqual(REFUSED)
  expect(await count('leads')).toBe(before)
})

test.each([
  ['leads', () => [newLead(), newLead()]],
  ['faults alone', () => [{ name: 'No one' }]],
])('a batch of %s under such a key is also refused', async (_what, make) => {
  const { key } = await revokeElsewhere()

  const answer = await app.call('POST', '/api/v1/leads/batch', { token: key, body: make() })
  expect(refusal(answer)).toEqual(REFUSED)
})

test('leads that arrive together with those of a revoked key are stored', async () => {
  const revoked = await revokeElsewhere()
  const good = await app.newSource()
  const answers = await Promise.all(
    [good, revoked, good, revoked, good].map(({ key }) => post(newLead(), {}, key)),
  )

  expect(answers.map(({ status }) => status)).toEqual([201, 401, 201, 401, 201])
})

test('a known key is not looked up again for each lead', async () => {
  const source = await app.newSource()
  await post(newLead(), {}, source.key)
  // Under another hash a lookup would find nothing, so a server that accepts the next lead has not looked it
  // up.
  await sql`update source_keys set key_hash = 'elsewhere' where source_id = ${source.id}`.execute(
    app.context.db,
  )

  expect((await post(newLead(), {}, source.key)).status).toBe(201)
})
