import { createHash, randomBytes } from 'node:crypto'
import { Queue } from 'bullmq'
import { sql } from 'kysely'
import pg from 'pg'
import type { TestContext } from 'vitest'
import { SOURCE_KEY_PREFIX } from '#core/contract/leads/source.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import { insertSource } from '#core/data/leads/sources/sources.ts'
import {
  serviceFolder,
  startBreakablePostgres,
  startBreakableRedis,
  type BreakableService,
} from '#scripts/lab/breakable-services.ts'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '#scripts/services/throw-away-folder.ts'
import { migrateDatabase } from '#scripts/migrate-database.ts'
import { waitUntil } from '../condition.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type TestPipeline,
} from '../given/pipeline.ts'
import { startServer, startWorker, type LabServer } from '#scripts/lab/start-product.ts'
import type { LabProcess } from '#scripts/lab/start-process.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { testRedisUrl } from '../services/redis.ts'
import { startTcpProxy, type TcpProxy } from '#scripts/lab/start-tcp-proxy.ts'

type Variables = Record<string, string>

/** The final state in PostgreSQL and at the client's CRM. */
export interface Ledger {
  leads: number
  events: number
  /** count by state */
  deliveries: Record<string, number>
  /** rows of the delivery log */
  logs: number
  receipts: number
  /** number of different webhook-ids among the receipts */
  webhookIds: number
}

/** A client with a CRM and a source, and real processes that a test kills. Everything ends with the test. */
export interface CrashPoint {
  pipeline: TestPipeline
  crm: Receiver
  client: string
  /** Present only if the test asked for its own. */
  redis: BreakableService
  postgres: BreakableService
  server: (variables?: Variables) => Promise<LabServer>
  worker: (variables?: Variables) => Promise<LabProcess>
  /** Posts a lead as the source; `undefined` without an answer. */
  post: (server: LabServer, key?: string) => Promise<{ status: number; leadId: string } | undefined>
  /** Creates a lead of the client whose event is in Redis; returns the lead's id. */
  enqueueLead: () => Promise<string>
  proxyTo: (service: 'DATABASE_URL' | 'REDIS_URL') => Promise<TcpProxy & { variables: Variables }>
  queue: (name: string) => Queue
  ledger: () => Promise<Ledger>
  /** Opens a separate connection, for locks. */
  connect: () => Promise<pg.Client>
}

export async function setUpCrashPoint(
  test: Pick<TestContext, 'onTestFinished'>,
  options: { env?: Variables; own?: ReadonlyArray<'redis' | 'postgres'> } = {},
): Promise<CrashPoint> {
  // Vitest runs these in reverse order, as it should be.
  const atEnd = (end: () => unknown): void => {
    test.onTestFinished(async () => {
      await end()
    })
  }
  const own = await startOwn(options.own ?? [], atEnd)
  const crm = await startReceiver()
  atEnd(() => crm.close())
  const pipeline = await startPipeline(
    { WEBHOOK_RETRY_SCHEDULE: '1,1', WEBHOOK_TIMEOUT_MS: '5000', ...own.env, ...options.env },
    { worker: false },
  )
  atEnd(() => pipeline.close())
  const { environment, context, db } = pipeline
  const client = await givenClient(db)
  await givenConfig(context, client, { endpoint_url: crm.url, trigger_on_lead_created: true })
  const key = `${SOURCE_KEY_PREFIX}${randomBytes(32).toString('base64url')}`
  await insertSource(db, {
    name: 'Example source',
    owner_user_id: client,
    auto_assign: false,
    api_key_hash: createHash('sha256').update(key).digest(),
    api_key_prefix: key.slice(0, 10),
    created_by: client,
  })

  const keep = <Process extends LabProcess>(process: Process): Process => {
    atEnd(() => process.kill())
    return process
  }
  return {
    pipeline,
    crm,
    client,
    get redis() {
      return there(own.redis)
    },
    get postgres() {
      return there(own.postgres)
    },
    server: async (variables) =>
      keep(await oneByOne(() => startServer({ ...environment.env, ...variables }))),
    worker: async (variables) =>
      keep(await oneByOne(() => startWorker({ ...environment.env, ...variables }))),
    post: (server, idempotencyKey) => postLead(server, key, idempotencyKey),
    enqueueLead: async () => {
      const lead = await givenLead(db, client)
      await publishEventsOfLead(context, lead)
      return lead
    },
    proxyTo: async (service) => {
      const url = environment.env[service] ?? testRedisUrl()
      const proxy = await startTcpProxy(url)
      atEnd(() => proxy.close())
      return { ...proxy, variables: { [service]: proxy.through(url) } }
    },
    queue: (name) => {
      const connection = { url: environment.redisUrl, maxRetriesPerRequest: null }
      const queue = new Queue(name, { connection, prefix: queuePrefix(context.config.redis) })
      queue.on('error', () => undefined)
      atEnd(() => queue.close())
      return queue
    },
    ledger: () => readLedger(pipeline, crm),
    connect: async () => {
      const connection = new pg.Client({ connectionString: environment.env['DATABASE_URL'] })
      connection.on('error', () => undefined)
      await connection.connect()
      atEnd(() => connection.end())
      return connection
    },
  }
}

let starting: Promise<unknown> = Promise.resolve()

/** Starts run one after the other, because each takes a whole core. */
function oneByOne<Started>(start: () => Promise<Started>): Promise<Started> {
  const started = starting.then(start)
  starting = started.catch(() => undefined)
  return started
}

async function startOwn(
  own: ReadonlyArray<'redis' | 'postgres'>,
  atEnd: (end: () => unknown) => void,
): Promise<{ env: Variables; redis?: BreakableService; postgres?: BreakableService }> {
  if (own.length === 0) return { env: {} }
  const parent = await makeThrowAwayFolder('crash')
  atEnd(() => removeThrowAwayFolder(parent, 'postgres/postgres'))
  const redis = own.includes('redis')
    ? await startBreakableRedis(await serviceFolder(parent, 'redis'))
    : undefined
  atEnd(() => redis?.stop())
  const postgres = own.includes('postgres')
    ? await startBreakablePostgres(await serviceFolder(parent, 'postgres'))
    : undefined
  atEnd(() => postgres?.stop())
  if (postgres !== undefined) await migrateDatabase(postgres.url)
  return {
    env: {
      ...(redis !== undefined && { REDIS_URL: redis.url }),
      ...(postgres !== undefined && { DATABASE_URL: postgres.url }),
    },
    ...(redis !== undefined && { redis }),
    ...(postgres !== undefined && { postgres }),
  }
}

function there(service: BreakableService | undefined): BreakableService {
  if (service === undefined) throw new Error('The test did not ask for a service of its own')
  return service
}

async function postLead(
  server: LabServer,
  key: string,
  idempotencyKey = randomBytes(8).toString('hex'),
): Promise<{ status: number; leadId: string } | undefined> {
  try {
    const response = await fetch(`${server.url}/api/v1/leads`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': idempotencyKey,
      },
      body: JSON.stringify({
        lead_type: 'final_expense',
        first_name: 'Rosa',
        last_name: 'Example',
        phone: '(202) 555-0143',
        email: 'rosa@example.com',
        state: 'CA',
      }),
    })
    const { lead_id: leadId = '' } = (await response.json()) as { lead_id?: string }
    return { status: response.status, leadId }
  } catch {
    return undefined
  }
}

async function readLedger({ db }: TestPipeline, crm: Receiver): Promise<Ledger> {
  const { rows } = await sql<{
    leads: number
    events: number
    logs: number
    deliveries: Ledger['deliveries']
  }>`
    select (select count(*)::int from leads) as leads,
      (select count(*)::int from events where type = 'lead.created') as events,
      (select count(*)::int from webhook_delivery_logs) as logs,
      (select coalesce(jsonb_object_agg(state, count), '{}') from
        (select state, count(*) as count from webhook_deliveries group by state) s) as deliveries
  `.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('PostgreSQL counted nothing')
  const ids = new Set(crm.requests.map((request) => request.headers['webhook-id']))
  return { ...row, receipts: crm.requests.length, webhookIds: ids.size }
}

/** Holds inserts into one table in the middle of their statement, until they are released or ended. */
export interface HeldInserts {
  /** Waits until an insert of this process is held. */
  waitFor: (name: 'leadwire-server' | 'leadwire-worker') => Promise<void>
  /**
   * Ends held inserts, as PostgreSQL does when it notices that the client is dead; later inserts are not
   * held.
   */
  end: () => Promise<void>
}

export async function holdInserts(connection: pg.Client, table: string): Promise<HeldInserts> {
  // A table lock would stop the statement before it has done anything.
  await connection.query(`
    create function hold_insert() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
    create trigger hold_insert before insert on ${table} for each row execute function hold_insert();
    select pg_advisory_lock(1)`)
  const held = `from pg_stat_activity
    where wait_event_type = 'Lock' and wait_event = 'advisory' and datname = current_database()`
  return {
    waitFor: async (name) => {
      await waitUntil(
        async () => {
          const found = await connection.query(`select ${held} and application_name = $1`, [name])
          return found.rows.length > 0
        },
        { what: `An insert of ${name}`, timeoutMs: 20_000 },
      )
    },
    end: async () => {
      await connection.query(`select pg_terminate_backend(pid, 5000) ${held}`)
      await connection.query(`select pg_advisory_unlock(1)`)
    },
  }
}
