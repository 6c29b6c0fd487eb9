import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Person, TestApp } from '../support/start-app.ts'

const webhook = (fields: Record<string, unknown> = {}) => ({
  webhook_name: 'CRM',
  endpoint_url: 'https://crm.example.com/leads',
  payload_type: 'JSON',
  payload_template: { name: '{{name}}' },
  is_active: true,
  trigger_on_lead_created: true,
  trigger_on_lead_assigned: false,
  ...fields,
})
/** @returns its id */
export async function createWebhook(
  app: TestApp,
  { token }: Person,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const { status, json } = await app.call('POST', '/api/v1/webhook-configs', { token, body: webhook(fields) })
  expect([status, json.detail]).toEqual([201, undefined])
  return json.id
}

/** Webhooks of 60 KB each. */
export async function insertLongWebhooks(app: TestApp, { id }: Person, count: number): Promise<void> {
  await sql`
    insert into client_webhook_configs
      (client_user_id, webhook_name, endpoint_url, payload_type, payload_template, signing_secret)
    select ${id}, 'CRM', 'https://crm.example.com/leads', 'JSON',
      jsonb_build_object('text', repeat('x', 60000)), ${app.context.secrets.seal('client_webhook_configs.signing_secret', 'secret')}
    from generate_series(1, ${sql.lit(count)})`.execute(app.context.db)
}
