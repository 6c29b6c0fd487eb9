import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVENT_TYPES } from '#core/contract/events.ts'
import { newLead, startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('steps of the same moment are listed by cause and effect, whatever their ids', async () => {
  const owner = await app.newClient()
  const source = await app.newSource({ owner })
  const { lead_id: id } = (await app.call('POST', '/api/v1/leads', { token: source.key, body: newLead() }))
    .json
  const { db } = app.context
  await sql`delete from events where lead_id = ${id}`.execute(db)
  for (const type of ['lead.priced', ...EVENT_TYPES.toReversed()])
    await sql`
      insert into events (id, type, lead_id, client_user_id, created_at, enqueued_at, planned_at)
      values (uuid_v7(), ${type}, ${id}, ${owner.id}, '2026-01-31T17:05:00Z', now(), now())`.execute(db)

  const { timeline } = (await app.call('GET', `/api/v1/leads/${id}`, { token: owner.token })).json

  const told = timeline.map(({ type }) => type).filter((type) => type !== 'lead.viewed')
  const unseen = ['lead.created', 'lead.viewed']
  expect(told).toEqual([...EVENT_TYPES.filter((type) => !unseen.includes(type)), 'lead.priced'])
})
