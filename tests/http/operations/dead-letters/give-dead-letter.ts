import { randomUUID } from 'node:crypto'
import type { ErrorClass } from '#core/contract/webhooks/delivery.ts'
import { newLead, type Person, type TestApp } from '../../support/start-app.ts'

/** Creates a webhook whose URL contains a secret. */
export async function givenConfig(app: TestApp, owner: Person): Promise<string> {
  const { json } = await app.call('POST', '/api/v1/webhook-configs', {
    token: owner.token,
    body: { webhook_name: 'CRM', endpoint_url: 'https://crm.example.com:8443/hook?token=very-secret' },
  })
  return json.id
}

/** Creates a delivery that failed for good some seconds ago; returns its id. */
export async function givenDeadLetter(
  app: TestApp,
  owner: Person,
  fields: { secondsAgo?: number; reason?: ErrorClass; config?: string } = {},
): Promise<string> {
  const { db } = app.context
  const { secondsAgo = 60, reason = 'timeout', config = await givenConfig(app, owner) } = fields
  const source = await app.newSource({ owner })
  const lead = await app.call('POST', '/api/v1/leads', { token: source.key, body: newLead() })
  const event = await db
    .selectFrom('events')
    .select('id')
    .where('lead_id', '=', lead.json.lead_id)
    .where('type', '=', 'lead.created')
    .executeTakeFirstOrThrow()
  const id = randomUUID()
  await db
    .insertInto('webhook_deliveries')
    .values({
      id,
      event_id: event.id,
      event_type: 'lead.created',
      webhook_config_id: config,
      client_user_id: owner.id,
      lead_id: lead.json.lead_id,
      state: 'failed',
      attempt: 8,
      next_attempt_at: null,
      failure_class: reason,
      finished_at: new Date(Date.now() - secondsAgo * 1000),
    })
    .execute()
  return id
}
