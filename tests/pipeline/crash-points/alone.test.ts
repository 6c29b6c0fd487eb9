// Deliveries that end the process which sends them, again and again.
import { randomUUIDv7 } from 'node:crypto'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { listDeadLetters, redrivePiece } from '#core/data/operations/dead-letters.ts'
import { insertResend } from '#core/data/webhooks/deliveries/resend-deliveries.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenClient, givenConfig, givenLead, publishEventsOfLead } from '#tests/support/given/pipeline.ts'
import { planQuietly } from '#tests/support/processes/carried.ts'
import { setUpCrashPoint, type CrashPoint } from '#tests/support/processes/crash-point.ts'

// Many processes run one after the other, and the machine may be slow.
vi.setConfig({ testTimeout: 240_000 })
const run = promisify(execFile)
const LONG = { timeoutMs: 90_000 }
const IN_FLIGHT = 200
const CLIENTS = 20

/** Ends a dead worker's leases, so that another worker takes its deliveries at once. */
async function endLeases({ pipeline: { db } }: CrashPoint): Promise<void> {
  await sql`update webhook_deliveries set lease_until = now() - interval '2 minutes' where lease_token is not null`.execute(
    db,
  )
}

async function countClaimed({ pipeline: { db } }: CrashPoint): Promise<number> {
  const { rows } =
    await sql`select from webhook_deliveries where lease_token is not null and lease_until > now() - interval '1 minute'`.execute(
      db,
    )
  return rows.length
}

async function readDeliveries({ pipeline: { db } }: CrashPoint, config?: string) {
  const { rows } = await sql<{
    id: string
    state: string
    attempt: number
    failure_class: string | null
    lost_leases: number
  }>`
    select id, state, attempt, failure_class, lost_leases from webhook_deliveries
    where ${config === undefined ? sql`true` : sql`webhook_config_id = ${config}`} order by id`.execute(db)
  return rows
}

test.concurrent('a worker that is killed three times with 200 deliveries in flight makes none of them a dead letter', async (context) => {
  const point = await setUpCrashPoint(context, { env: { WEBHOOK_CONCURRENCY: '1000' } })
  const { pipeline, crm } = point
  const clients: string[] = []
  for (let index = 0; index < CLIENTS; index += 1) {
    const client = await givenClient(pipeline.db)
    await givenConfig(pipeline.context, client, {
      endpoint_url: `${crm.url}/${client}`,
      trigger_on_lead_created: true,
    })
    clients.push(client)
  }
  const sendLeads = async (): Promise<void> => {
    for (const client of clients)
      await publishEventsOfLead(pipeline.context, await givenLead(pipeline.db, client))
  }
  // An endpoint that has answered gets more requests at a time.
  const first = await point.worker()
  await sendLeads()
  await waitUntil(async () => (await point.ledger()).deliveries['delivered'] === CLIENTS, LONG)
  await first.stop()
  await sql`delete from webhook_deliveries`.execute(pipeline.db)
  for (let sent = 0; sent < IN_FLIGHT; sent += CLIENTS) await sendLeads()
  // Each worker holds its deliveries longer than it lives.
  const worker = await point.worker({ FAILPOINTS: 'before-send=pause:200000' })
  for (const held of [IN_FLIGHT, IN_FLIGHT, 1]) {
    await waitUntil(async () => (await countClaimed(point)) >= held, { ...LONG, what: `${held} in flight` })
    await worker.kill()
    await endLeases(point)
    await worker.restart()
  }
  await worker.kill()
  await endLeases(point)
  await point.worker()
  await waitUntil(async () => (await readDeliveries(point)).every(({ state }) => state !== 'pending'), LONG)

  const deliveries = await readDeliveries(point)
  expect(deliveries).toHaveLength(IN_FLIGHT)
  for (const delivery of deliveries)
    expect(delivery).toMatchObject({ state: 'delivered', attempt: 1, lost_leases: 0 })
})

test.concurrent('a delivery that ends every sender becomes a dead letter, and everything else continues', async (context) => {
  const point = await setUpCrashPoint(context)
  const { pipeline, crm } = point
  const { db } = pipeline
  const bad = await givenClient(db)
  const { id: config } = await givenConfig(pipeline.context, bad, {
    endpoint_url: `${crm.url}/bad`,
    trigger_on_lead_created: true,
  })
  const lead = await givenLead(db, bad)
  await publishEventsOfLead(pipeline.context, lead)
  const worker = await point.worker({ FAILPOINTS: `before-send=exit@${config}` })
  for (let deaths = 1; deaths <= 2; deaths += 1) {
    await worker.ended()
    await endLeases(point)
    await worker.restart()
  }
  const pid = worker.pid()
  const others = 10
  for (let index = 0; index < others; index += 1) await point.enqueueLead()
  await crm.waitForCount(others, LONG)
  await waitUntil(async () => (await readDeliveries(point, config))[0]?.state === 'failed', LONG)

  expect(worker.pid()).toBe(pid)
  expect(worker.isRunning()).toBe(true)
  expect(await readDeliveries(point, config)).toMatchObject([
    { failure_class: 'sender_crashed', lost_leases: 0 },
  ])
  expect(await point.ledger()).toMatchObject({
    deliveries: { delivered: others, failed: 1 },
    receipts: others,
  })
  const { rows: logs } = await sql`
    select error_class, attempt_number, next_attempt_at from webhook_delivery_logs where webhook_config_id = ${config}`.execute(
    db,
  )
  expect(logs).toEqual([{ error_class: 'sender_crashed', attempt_number: 1, next_attempt_at: null }])

  // The next lead to the same webhook ends no worker either.
  await publishEventsOfLead(pipeline.context, await givenLead(db, bad))
  const states = async () => (await readDeliveries(point, config)).map(({ state }) => state)
  await waitUntil(async () => (await states()).join() === 'failed,failed', LONG)
  expect(worker.pid()).toBe(pid)
  expect(worker.isRunning()).toBe(true)

  // A resend by the client is sent alone at once, although its webhook no longer is: it ends its own process
  // and no worker.
  await sql`update webhook_endpoint_health set alone_until = null`.execute(db)
  const [dead] = await readDeliveries(point, config)
  const again = await insertResend(db, bad, dead?.id ?? '', randomUUIDv7())
  await pipeline.context.deliveries.publish(again === undefined ? [] : [again])
  await waitUntil(async () => (await states()).join() === 'failed,failed,failed', LONG)
  expect(worker.pid()).toBe(pid)
  expect(worker.isRunning()).toBe(true)

  // After the cause is fixed, an administrator's redrive delivers it.
  await worker.kill()
  await point.worker()
  const administrator = await givenClient(db, 'admin')
  const letters = await listDeadLetters(db, { reason: 'sender_crashed' }, { limit: 10, after: undefined })
  // The first was resent; its resend and the next lead are dead letters.
  expect(letters).toMatchObject([
    { webhook_config_id: config, attempts: 1 },
    { webhook_config_id: config, attempts: 1 },
  ])
  expect(letters[0]?.message).toMatch(/our failure/)
  const { due } = await db
    .transaction()
    .execute((trx) =>
      redrivePiece(
        trx,
        { filter: { reason: 'sender_crashed' } },
        { id: randomUUIDv7(), administrator, most: 10 },
      ),
    )
  await pipeline.context.deliveries.publish(due)
  await waitUntil(async () => (await states()).filter((state) => state === 'delivered').length === 2, LONG)
  expect((await readDeliveries(point, config)).at(-1)).toMatchObject({ attempt: 1, lost_leases: 0 })
})

test.concurrent('a process that hangs on a delivery is killed in time to be counted, and the next process delivers the lead', async (context) => {
  const point = await setUpCrashPoint(context)
  const { pipeline, crm } = point
  crm.answerWith({ status: 200, delayMs: 3000 })
  await planQuietly(point, 1)
  await sql`update webhook_deliveries set lost_leases = 2`.execute(pipeline.db)
  const worker = await point.worker()
  await crm.waitForCount(1, LONG)
  const { stdout } = await run('pgrep', ['-P', String(worker.pid())])
  for (const pid of stdout.trim().split('\n')) process.kill(Number(pid), 'SIGSTOP')

  await waitUntil(async () => (await readDeliveries(point))[0]?.lost_leases === 3, LONG)
  await waitUntil(async () => (await readDeliveries(point))[0]?.state === 'delivered', LONG)
  expect(await readDeliveries(point)).toMatchObject([{ attempt: 1, lost_leases: 0 }])
})

const HANG_WHEN_SENDING =
  "process.on('message', ({ kind }) => { if (kind === 'send') { process.stderr.write('hangs\\n'); for (;;); } })"

test.concurrent('a process that hangs with a delivery ends soon after its worker was killed', async (context) => {
  const point = await setUpCrashPoint(context)
  await planQuietly(point, 1)
  await sql`update webhook_deliveries set lost_leases = 2`.execute(point.pipeline.db)
  const preload = `data:text/javascript,${encodeURIComponent(HANG_WHEN_SENDING)}`
  const worker = await point.worker({ NODE_OPTIONS: `--import=${preload}` })
  await waitUntil(() => worker.output().includes('hangs'), { ...LONG, what: 'The process that hangs' })
  const { stdout } = await run('pgrep', ['-P', String(worker.pid()), '-f', 'alone-process'])
  const hanging = Number(stdout.trim())
  // Stops everything that the test has started, whatever its result.
  context.onTestFinished(() => {
    if (isRunning(hanging)) process.kill(hanging, 'SIGKILL')
  })
  await worker.kill()

  await waitUntil(() => !isRunning(hanging), { timeoutMs: 30_000, what: 'The end of the process' })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
