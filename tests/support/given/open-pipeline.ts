import { afterAll, beforeAll, beforeEach } from 'vitest'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { givenClient, startPipeline, type TestPipeline } from './pipeline.ts'

/** A running worker for a file's tests, and a client and an endpoint for each test. */
export interface OpenPipeline extends Pick<TestPipeline, 'context' | 'db'> {
  client: string
  crm: Receiver
}

/** Retries come after an hour, so that a test decides when one is due. */
const HOURLY = { WEBHOOK_RETRY_SCHEDULE: '3600,3600', WEBHOOK_RETRY_JITTER: '0' }

/** Starts the worker before the tests of the calling file, and stops it afterwards. */
export function openPipeline(): OpenPipeline {
  let pipeline: TestPipeline
  let crm: Receiver
  let client: string
  beforeAll(async () => {
    pipeline = await startPipeline(HOURLY)
  })
  afterAll(() => pipeline.close())
  beforeEach(async () => {
    crm = await startReceiver()
    client = await givenClient(pipeline.db)
    return () => crm.close()
  })
  return {
    get context() {
      return pipeline.context
    },
    get db() {
      return pipeline.db
    },
    get client() {
      return client
    },
    get crm() {
      return crm
    },
  }
}
