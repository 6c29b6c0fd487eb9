import { sql } from 'kysely'
import { createSecretBox } from '#core/secrets/secret-box.ts'
import { createSigningSecret } from '#core/endpoint/sign.ts'
import type { BenchContext } from '../services.ts'
import { setUpClients, TEMPLATE, type BenchClient } from '../set-up-clients.ts'
import { BAD } from './bad-endpoints.ts'
import type { Stage } from './case.ts'

/** Above this number one statement inserts the rest: through the API they would take minutes. */
const BY_THE_API = 300

/** Makes clients with this many webhooks each, all new and without answers. */
export async function setUpSilentClients(
  { context, programs }: Stage,
  clients: number,
  endpoints: number,
): Promise<BenchClient[]> {
  const endpoint = `${context.receiver.url}${BAD.hang}`
  const byApi = endpoints > BY_THE_API ? 0 : endpoints
  const made = await setUpClients(
    programs.server.url,
    Array.from({ length: clients }, () => Array<string>(byApi).fill(endpoint)),
  )
  if (byApi > 0) return made
  return await Promise.all(
    made.map(async (client) => ({
      ...client,
      configurations: await insertConfigurations(context, client.id, endpoint, endpoints),
    })),
  )
}

async function insertConfigurations(
  { config, db }: BenchContext,
  client: string,
  endpoint: string,
  count: number,
): Promise<string[]> {
  const secret = createSecretBox(config.secretsKey ?? '').seal(
    'client_webhook_configs.signing_secret',
    createSigningSecret(),
  )
  const { rows } = await sql<{ id: string }>`
    insert into client_webhook_configs (client_user_id, webhook_name, endpoint_url, payload_template, signing_secret)
    select ${client}::uuid, 'Example CRM ' || n, ${endpoint}, ${JSON.stringify(TEMPLATE)}::json, ${secret}
    from generate_series(1, ${count}::int) n
    returning id`.execute(db)
  await sql`analyze client_webhook_configs`.execute(db)
  return rows.map(({ id }) => id)
}
