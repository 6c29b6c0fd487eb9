import { expect, onTestFinished, test } from 'vitest'
import { waitUntil } from '#tests/support/condition.ts'
import {
  drain,
  givenClient,
  givenConfig,
  givenLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { startWorker } from '#scripts/lab/start-product.ts'
import type { LabProcess } from '#scripts/lab/start-process.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { testRedisUrl } from '#tests/support/services/redis.ts'
import { startTcpProxy, type ProxiedConnection } from '#scripts/lab/start-tcp-proxy.ts'

/** Starts a worker whose command connection goes silent when it looks for stalled jobs, this many times. */
async function begin(times: number): Promise<{ pipeline: TestPipeline; worker: LabProcess; crm: Receiver }> {
  const crm = await startReceiver()
  const proxy = await startTcpProxy(testRedisUrl())
  const pipeline = await startPipeline({ WORKER_WATCHDOG_SECONDS: '10' }, { worker: false })
  const silent = new Set<ProxiedConnection>()
  proxy.onSent((connection, piece) => {
    if (silent.size === times || !piece.includes(':stalled-check')) return
    silent.add(connection)
    connection.blackhole()
  })
  const worker = await startWorker({
    ...pipeline.environment.env,
    REDIS_URL: proxy.through(testRedisUrl()),
  })
  onTestFinished(async () => {
    await worker.kill()
    await pipeline.close()
    await proxy.close()
    await crm.close()
  })
  await waitUntil(() => silent.size > 0, { what: 'A silent connection' })
  const client = await givenClient(pipeline.db)
  await givenConfig(pipeline.context, client, { endpoint_url: crm.url, trigger_on_lead_created: true })
  await givenLead(pipeline.db, client)
  return { pipeline, worker, crm }
}

test.concurrent('a worker whose connection has gone silent opens a new one and continues', async () => {
  const { pipeline, worker, crm } = await begin(1)

  await crm.waitForCount(1, { timeoutMs: 40_000 })
  await drain(pipeline.context)
  expect(worker.output()).toContain('its connections are made anew')
  expect(worker.isRunning()).toBe(true)
  expect(crm.requests).toHaveLength(1)
})

test.concurrent('a worker ends if new connections do not help, and the next worker continues', async () => {
  const { pipeline, worker, crm } = await begin(2)

  await waitUntil(() => !worker.isRunning(), { timeoutMs: 50_000, what: 'The end of the worker' })
  expect(worker.output()).toContain('it ends, to be started again')
  expect(await worker.stop()).toBe(1)
  expect(crm.requests).toHaveLength(0)

  await worker.restart()
  await crm.waitForCount(1, { timeoutMs: 30_000 })
  await drain(pipeline.context)
  expect(crm.requests).toHaveLength(1)
})
