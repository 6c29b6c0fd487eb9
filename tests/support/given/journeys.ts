import { afterAll, beforeAll, beforeEach } from 'vitest'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import {
  assignLead,
  givenClient,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type GivenLead,
  type TestPipeline,
} from './pipeline.ts'

/** One pipeline for the tests of a file, and a client with a CRM for each. */
export interface Journeys {
  pipeline: TestPipeline
  crm: Receiver
  client: string
  /** Creates a lead of the client and enqueues it; returns its id. */
  sendLead: (fields?: GivenLead) => Promise<string>
  /** Returns the log of a configuration's attempts, oldest first. */
  readLog: (configId: string) => ReturnType<typeof readLog>
}

/** Call it at the top of a test file. Its result can be used during the tests. */
export function setUpJourneys(environment: Record<string, string>): Journeys {
  let pipeline: TestPipeline
  let crm: Receiver
  let client: string
  beforeAll(async () => {
    pipeline = await startPipeline({ WEBHOOK_TIMEOUT_MS: '5000', ...environment })
  })
  afterAll(async () => {
    await pipeline.close()
  })
  beforeEach(async () => {
    crm = await startReceiver()
    client = await givenClient(pipeline.db)
    return () => crm.close()
  })
  return {
    get pipeline() {
      return pipeline
    },
    get crm() {
      return crm
    },
    get client() {
      return client
    },
    sendLead: async (fields) => {
      const lead = await givenLead(pipeline.db, client, fields)
      await assignLead(pipeline.db, lead)
      await publishEventsOfLead(pipeline.context, lead)
      return lead
    },
    readLog: (configId) => readLog(pipeline, configId),
  }
}

async function readLog({ db }: TestPipeline, configId: string) {
  return await db
    .selectFrom('webhook_delivery_logs')
    .innerJoin('webhook_delivery_log_bodies as bodies', (join) =>
      join
        .onRef('bodies.id', '=', 'webhook_delivery_logs.id')
        .onRef('bodies.created_at', '=', 'webhook_delivery_logs.created_at'),
    )
    .selectAll()
    .where('webhook_config_id', '=', configId)
    .orderBy('webhook_delivery_logs.created_at')
    .orderBy('attempt_number')
    .execute()
}
