import { createKeyring } from '#core/secrets/keyring.ts'
import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { loadConfig } from '#core/config/config.ts'
import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import type { Db } from '#core/data/database.ts'
import type { Database } from '#core/data/schema/tables.ts'
import type { Conditions } from '#core/contract/webhooks/conditions.ts'
import type { SendingHours } from '#core/contract/webhooks/sending-hours.ts'
import type { MissingValues, SuccessRule } from '#core/contract/webhooks/answer-rules.ts'
import {
  DEFAULT_PAYLOAD_TEMPLATE,
  type PayloadType,
  type RequestMethod,
} from '#core/contract/webhooks/webhook-config.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { createSigningSecret } from '#core/endpoint/sign.ts'
import { createContext, type WorkerContext } from '#worker/context.ts'
import { startWorker } from '#worker/start-worker.ts'
import { sql } from 'kysely'
import { waitUntil } from '../condition.ts'
import type { LabEnvironment } from '#scripts/lab/create-environment.ts'
import { createTestEnvironment } from './environment.ts'

/** A worker's context with its own database and queue prefix; the worker runs in this process. */
export interface TestPipeline {
  environment: LabEnvironment
  context: WorkerContext
  db: Kysely<Database>
  startWorker: () => Promise<void>
  stopWorker: () => Promise<void>
  close: () => Promise<void>
}

export async function startPipeline(
  overrides: Record<string, string> = {},
  options: { worker: boolean } = { worker: true },
): Promise<TestPipeline> {
  const environment = await createTestEnvironment({ LOG_LEVEL: 'warn', ...overrides })
  const config = loadConfig(environment.env)
  const { context, close } = createContext(
    config,
    createKeyring(config.secretsKey ?? ''),
    createLogger('test', config.logLevel),
  )
  await waitUntil(() => context.events.isReady() && context.redis.status === 'ready', { what: 'Redis' })
  let worker: { stop: () => Promise<void> } | undefined
  const pipeline: TestPipeline = {
    environment,
    context,
    db: context.db,
    startWorker: async () => {
      worker = await startWorker(context, () => {
        throw new Error('The worker gave itself up')
      })
    },
    stopWorker: async () => {
      await worker?.stop()
      worker = undefined
    },
    close: async () => {
      await pipeline.stopWorker()
      await close()
      await environment.close()
    },
  }
  if (options.worker) await pipeline.startWorker()
  return pipeline
}

export async function givenClient(
  db: Kysely<Database>,
  role: 'client' | 'admin' = 'client',
): Promise<string> {
  const id = randomUUID()
  const email = `${id}@example.com`
  await db.insertInto('auth.users').values({ id, email, password_hash: null }).execute()
  await db.insertInto('profiles').values({ user_id: id, email, name: 'Example Client', role }).execute()
  return id
}

export interface GivenConfig {
  id: string
  secret: string
}

export async function givenConfig(
  context: Pick<WorkerContext, 'db' | 'secrets'>,
  owner: string,
  fields: {
    endpoint_url: string
    request_method?: RequestMethod
    payload_type?: PayloadType
    payload_template?: string
    custom_headers?: Record<string, string>
    trigger_on_lead_created?: boolean
    trigger_on_lead_assigned?: boolean
    is_active?: boolean
    missing_values?: MissingValues
    success_rule?: SuccessRule
    capture_path?: string
    conditions?: Conditions
    sending_hours?: SendingHours
    events?: string[]
    event_templates?: string
    fills_address?: boolean
  },
): Promise<GivenConfig> {
  const secret = createSigningSecret()
  const headers = Object.entries(fields.custom_headers ?? {}).map(([name, value]) => [
    name,
    context.secrets.seal('client_webhook_configs.custom_headers', value),
  ])
  const row = await context.db
    .insertInto('client_webhook_configs')
    .values({
      client_user_id: owner,
      webhook_name: 'Example CRM',
      fills_address: true,
      ...fields,
      payload_template: fields.payload_template ?? JSON.stringify(DEFAULT_PAYLOAD_TEMPLATE),
      custom_headers: JSON.stringify(Object.fromEntries(headers)),
      success_rule: fields.success_rule === undefined ? null : JSON.stringify(fields.success_rule),
      conditions: fields.conditions === undefined ? null : JSON.stringify(fields.conditions),
      sending_hours: fields.sending_hours === undefined ? null : JSON.stringify(fields.sending_hours),
      signing_secret: context.secrets.seal('client_webhook_configs.signing_secret', secret),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: row.id, secret }
}

export interface GivenLead {
  state?: string | null
  source?: string | null
  name?: string
  email?: string
  phone?: string
  comments?: string
  deal_size?: string
  custom?: string
  zip?: string
  timezone?: string
  is_test?: boolean
}

/** Stores a lead of a client with its `lead.created` event; returns the lead's id. Nothing is enqueued. */
export async function givenLead(
  db: Kysely<Database>,
  owner: string | null,
  fields: GivenLead = {},
): Promise<string> {
  return await db.transaction().execute((trx) => insertLead(trx, owner, fields))
}

/** Stores a lead for each of these clients in one transaction, so that the relay finds either none or all. */
export async function givenLeadsOf(db: Kysely<Database>, owners: readonly string[]): Promise<string[]> {
  return await db.transaction().execute(async (trx) => {
    const leads: string[] = []
    for (const owner of owners) leads.push(await insertLead(trx, owner, {}))
    return leads
  })
}

async function insertLead(trx: Db, owner: string | null, fields: GivenLead): Promise<string> {
  const lead = await trx
    .insertInto('leads')
    .values({
      user_id: owner,
      name: 'Avery Example',
      email: 'avery@example.com',
      phone: '+15125550143',
      state: 'CA',
      city: 'Fresno',
      lead_type: 'final_expense',
      source: 'example-source',
      ...fields,
    })
    .returning(['id', 'user_id'])
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('events')
    .values({ type: 'lead.created', lead_id: lead.id, client_user_id: lead.user_id })
    .execute()
  return lead.id
}

export async function assignLead(db: Kysely<Database>, leadId: string): Promise<Record<string, unknown>> {
  const { rows } = await sql<{ result: Record<string, unknown> }>`
    select assign_lead_to_buyer_concurrent(${leadId}) as result
  `.execute(db)
  return rows[0]?.result ?? {}
}

/** Publishes a lead's events, as the API does after its commit. */
export async function publishEventsOfLead(context: WorkerContext, leadId: string): Promise<void> {
  await context.events.publish(await findEventsToEnqueueOfLeads(context.db, [leadId]))
}

/** Waits until every event is planned and no delivery is pending or leased. */
export async function drain(context: WorkerContext, timeoutMs = 30_000): Promise<void> {
  await waitUntil(
    async () => {
      const { rows } = await sql<{ open: number }>`
        select (select count(*) from events where planned_at is null)
          + (select count(*) from webhook_deliveries where state = 'pending') as open
      `.execute(context.db)
      return Number(rows[0]?.open) === 0
    },
    { timeoutMs, what: 'Every delivery being final' },
  )
}
