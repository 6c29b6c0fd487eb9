import { sql } from 'kysely'
import { expect } from 'vitest'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { givenLogRow } from '#tests/support/given/log-rows.ts'
import { givenOffers } from '#tests/support/given/market.ts'
import type { Person, TestApp } from '../support/start-app.ts'

/** The rows that are somebody's own: a lead, the order that bought it, a webhook, its delivery, attempt and replay. */
export interface Rows {
  lead: string
  order: string
  webhook: string
  delivery: string
  attempt: string
  replay: string
}

interface Wish {
  owner: Person
  /** a person of the owner's account */
  who: Person
  /** in which only this person's order buys */
  state: string
  name: string
}

/** A lead that a person's own order bought, and what belongs to it. */
export async function giveRows(app: TestApp, { owner, who, state, name }: Wish): Promise<Rows> {
  const { db, market } = app.context
  const post = (path: string, body: object) => app.call('POST', path, { token: who.token, body })
  const webhook = await post('/api/v1/webhook-configs', {
    webhook_name: `CRM of ${name}`,
    endpoint_url: 'https://crm.example.com/hook',
  })
  expect(webhook.status).toBe(201)
  const order = await post('/api/v1/orders', {
    name: `Order of ${name}`,
    lead_type: 'final_expense',
    states: [state],
    active: true,
  })
  expect(order.status).toBe(201)
  const [lead = ''] = await givenOffers(db, [{ state, email: `${name}@quill.example.com` }])
  await sql`update leads set name = ${`Zelda ${name}`} where id = ${lead}`.execute(db)
  expect(await assignLeads(market, [lead])).toMatchObject([{ order_id: order.json.id }])
  await sql`update events set planned_at = now(), enqueued_at = now() where lead_id = ${lead}`.execute(db)
  const { rows } = await sql<{ id: string; event_id: string }>`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt, finished_at, failure_class)
    select id, type, ${webhook.json.id}, ${owner.id}, ${lead}, 'failed', 1, now(), 'http_4xx' from events
    where lead_id = ${lead} and type = 'lead.assigned' returning id, event_id`.execute(db)
  const [delivery] = rows
  if (delivery === undefined) throw new Error('Nothing was planned')
  const of = { webhook_config_id: webhook.json.id, client_user_id: owner.id, lead_id: lead }
  const attempt = await givenLogRow(
    db,
    new Date(),
    {
      ...of,
      delivery_id: delivery.id,
      event_id: delivery.event_id,
      delivery_status: 'failed',
      response_status: 400,
    },
    { request_body: `Zelda ${name}` },
  )
  const replay = await sql<{ id: string }>`
    insert into webhook_replays (webhook_config_id, client_user_id, since, resent, hurried)
    values (${webhook.json.id}, ${owner.id}, now() - interval '1 hour', 1, 0) returning id`.execute(db)
  const ids = { webhook: webhook.json.id, order: order.json.id, delivery: delivery.id, attempt }
  return { ...ids, lead, replay: replay.rows[0]?.id ?? '' }
}

/** A revocation of a lead that failed at each of these webhooks. @returns its attempts, in the order of the webhooks */
export async function giveEventBeside(
  { context: { db } }: TestApp,
  { owner, lead, webhooks }: { owner: Person; lead: string; webhooks: readonly string[] },
): Promise<{ attempts: string[]; at: Date }> {
  const type = 'lead.consent_revoked'
  const at = new Date()
  const { rows } = await sql<{ delivery_id: string; event_id: string; webhook_config_id: string }>`
    with event as (
      insert into events (type, lead_id, client_user_id, data, planned_at, enqueued_at)
      values (${type}, ${lead}, ${owner.id}, '{}', now(), now()) returning id
    )
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt, finished_at, failure_class)
    select event.id, ${type}, w.id, ${owner.id}, event.id, 'failed', 1, now(), 'http_4xx'
    from event, unnest(${[...webhooks]}::uuid[]) with ordinality w (id, place) order by w.place
    returning id as delivery_id, event_id, webhook_config_id`.execute(db)
  const attempts: string[] = []
  for (const row of rows) {
    const of = { ...row, client_user_id: owner.id, event_type: type, lead_id: row.event_id } as const
    attempts.push(await givenLogRow(db, at, { ...of, delivery_status: 'failed' }))
  }
  return { attempts, at }
}
