import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import {
  waitingEndpointSchema,
  waitsSchema,
  type WaitingEndpoint,
  type Waits,
} from '#core/contract/operations/waits.ts'
import { newLead, type Person, type TestApp } from './start-app.ts'

export const WAITS_PATH = '/api/v1/admin/waits'

interface Given {
  count?: number
  /** negative: planned for later */
  dueForSeconds?: number
  leasedForSeconds?: number
  state?: 'pending' | 'held'
}

/** Creates waiting deliveries and reads what administrators see of them. */
export function waitsOf(app: () => TestApp): {
  givenConfig: (owner: Person, fields?: Record<string, unknown>) => Promise<string>
  /** Creates equal deliveries of this configuration. */
  givenDeliveries: (owner: Person, config: string, given?: Given) => Promise<void>
  ask: () => Promise<Waits>
  askOf: (client: Person) => Promise<WaitingEndpoint[]>
} {
  async function givenConfig(owner: Person, fields: Record<string, unknown> = {}): Promise<string> {
    const { json } = await app().call('POST', '/api/v1/webhook-configs', {
      token: owner.token,
      body: {
        webhook_name: 'CRM',
        endpoint_url: 'https://crm.example.com/hook?token=very-secret',
        ...fields,
      },
    })
    return json.id
  }

  async function givenDeliveries(owner: Person, config: string, given: Given = {}): Promise<void> {
    const { count = 1, dueForSeconds = 60, leasedForSeconds, state = 'pending' } = given
    const source = await app().newSource({ owner })
    const { json } = await app().call('POST', '/api/v1/leads', { token: source.key, body: newLead() })
    await sql`
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt,
        next_attempt_at, lease_token, lease_until, resend_of)
      select e.id, 'lead.created', ${config}::uuid, ${owner.id}::uuid, e.lead_id, ${state}, ${dueForSeconds < 0 ? 1 : 0},
        ${state === 'held' ? null : sql`now() - make_interval(secs => ${dueForSeconds})`},
        ${leasedForSeconds === undefined ? null : randomUUID()}::uuid,
        ${leasedForSeconds === undefined ? null : sql`now() + make_interval(secs => ${leasedForSeconds})`}, gen_random_uuid()
      from events e, generate_series(1, ${count})
      where e.lead_id = ${json.lead_id} and e.type = 'lead.created'`.execute(app().context.db)
  }

  async function ask(): Promise<Waits> {
    const { json } = await app().call('GET', WAITS_PATH, { token: app().admin.token })
    return waitsSchema.parse(json)
  }

  async function askOf(client: Person): Promise<WaitingEndpoint[]> {
    const { json } = await app().call('GET', `${WAITS_PATH}/${client.id}`, { token: app().admin.token })
    return waitingEndpointSchema.array().parse(json.data)
  }

  return { ask, askOf, givenConfig, givenDeliveries }
}
