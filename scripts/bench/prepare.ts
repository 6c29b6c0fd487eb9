import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { DueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import type { Database } from '#core/data/schema/tables.ts'
import type { SecretBox } from '#core/secrets/secret-box.ts'
import { compileTemplate } from '#core/domain/webhooks/template/compile-template.ts'
import { renderCompiled } from '#core/domain/webhooks/template/render-template.ts'
import { sampleValues } from '#core/domain/leads/sample-lead.ts'
import { createSigningSecret } from '#core/endpoint/sign.ts'

const CONFIGURATIONS = 20

/** About 1 KB when rendered, with values of every kind. */
const BENCH_TEMPLATE = JSON.stringify({
  lead_id: '{{id}}',
  name: '{{name}}',
  first_name: '{{first_name}}',
  last_name: '{{last_name}}',
  email: '{{email}}',
  phone: '{{phone_formatted}}',
  address: {
    street: '{{address1}}',
    city: '{{city}}',
    state: '{{state}}',
    state_name: '{{state_name}}',
    zip: '{{zip}}',
  },
  lead_type: '{{lead_type_label}}',
  deal_size: '{{deal_size}}',
  tobacco: '{{tobacco}}',
  tags: ['{{event}}', 'from {{source}}'],
  summary: '{{name}} from {{city}}, {{state}} asked about {{lead_type_label}}',
  comments: '{{comments}}',
  created_at: '{{created_at}}',
})

const COMMENTS = 'Please call in the afternoon. '.repeat(12)

/** The body of the bare loop, as long as the pipeline's. */
export const BARE_BODY = renderCompiled(compileTemplate(BENCH_TEMPLATE), 'JSON', {
  ...sampleValues('lead.assigned', new Date()),
  comments: COMMENTS,
}).body

/** Makes an account with 20 configurations of one endpoint. */
export async function prepareConfigurations(
  db: Kysely<Database>,
  secrets: SecretBox,
  receiverUrl: string,
): Promise<{ client: string; configurations: string[] }> {
  const client = randomUUID()
  const email = `${client}@example.com`
  await db.insertInto('auth.users').values({ id: client, email, password_hash: null }).execute()
  await db.insertInto('profiles').values({ user_id: client, email, name: 'Example Client' }).execute()
  const rows = await db
    .insertInto('client_webhook_configs')
    .values(
      Array.from({ length: CONFIGURATIONS }, (_unused, index) => ({
        client_user_id: client,
        webhook_name: `Example CRM ${index + 1}`,
        endpoint_url: `${receiverUrl}/leads/${index}`,
        payload_template: BENCH_TEMPLATE,
        custom_headers: JSON.stringify({
          'X-Api-Key': secrets.seal('client_webhook_configs.custom_headers', 'example-key-0123456789'),
        }),
        signing_secret: secrets.seal('client_webhook_configs.signing_secret', createSigningSecret()),
      })),
    )
    .returning('id')
    .execute()
  return { client, configurations: rows.map(({ id }) => id) }
}

/** Makes `count` leads, each with its event and one pending delivery, spread over the configurations. */
export async function prepareDeliveries(
  db: Kysely<Database>,
  owner: { client: string; configurations: string[] },
  count: number,
): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    with made as (
      insert into leads (user_id, assigned_to, status, name, first_name, last_name, email, phone, address1, city, state, zip,
        lead_type, source, deal_size, tobacco, comments)
      select ${owner.client}::uuid, ${owner.client}::uuid, 'assigned', 'Avery Example ' || n, 'Avery', 'Example ' || n,
        'avery' || n || '@example.com', '+1512555' || lpad((100 + n % 100)::text, 4, '0'), '100 Example Street', 'Fresno',
        'CA', '90001', 'final_expense', 'example-source', n, n % 2 = 0, ${COMMENTS}
      from generate_series(1, ${count}::int) n returning id
    ), told as (
      insert into events (type, lead_id, client_user_id, enqueued_at, planned_at)
      select 'lead.assigned', id, ${owner.client}::uuid, now(), now() from made returning id, lead_id
    )
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id)
    select id, 'lead.assigned',
      (${owner.configurations}::uuid[])[1 + (row_number() over ())::int % ${owner.configurations.length}::int],
      ${owner.client}::uuid, lead_id
    from told
    returning id as delivery_id, webhook_config_id, client_user_id, 1 as attempt, turn`.execute(db)
  return rows
}
