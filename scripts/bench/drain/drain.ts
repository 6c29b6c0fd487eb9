import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { cpuPerItem, readCpuTimes, type CpuTimes } from '../cpu.ts'
import { bytesPerDelivery, readFootprint, type BytesPerDelivery } from './footprint.ts'
import type { Rig } from './drain-rig.ts'
import { createRig, type Subject } from './rig.ts'
import type { BenchContext } from '../services.ts'
import { MEASURED, waitForReceipts } from '../wait-for-receipts.ts'

export interface DrainResult {
  subject: Subject
  /** worker processes */
  workers: number
  /** deliveries a second by the receiver's clock, from the first to the last */
  perSecond: number
  /** microseconds of processor time for one delivery, by program; `worker` is all worker processes */
  cpu: CpuTimes
  perDelivery: BytesPerDelivery
  /** bytes of one body, on average */
  bytes: number
  /** not received, or received without a log row or a final status */
  lost: number
  repeated: number
}

const QUIET_MS = 30_000

/**
 * Makes the work, starts the workers, lets them begin, and measures until everything is received and
 * recorded.
 */
export async function drain(
  context: BenchContext,
  subject: Subject,
  count: number,
  workers = 1,
): Promise<DrainResult> {
  const { db, receiver } = context
  const rig = createRig(context, subject)
  const started: Array<Awaited<ReturnType<Rig['start']>>> = []
  try {
    // Each turn begins with an empty log and a checkpoint, so that none is slowed by the writes of the one
    // before.
    await sql`truncate webhook_delivery_logs, webhook_delivery_log_bodies`.execute(db)
    const empty = await readFootprint(context)
    await rig.fill(count)
    await sql`checkpoint`.execute(db)
    await receiver.reset()
    for (let n = 0; n < workers; n += 1) started.push(await rig.start())
    const pids = started.map(({ pid }) => pid())
    const filled = await readFootprint(context)
    const before = await readCpu(context, pids)
    await rig.begin(pids)
    const stats = await waitForReceipts(receiver, MEASURED, count, QUIET_MS)
    const unrecorded = await waitForRecords(context, rig, count)
    const after = await readCpu(context, pids)
    const drained = await readFootprint(context)
    return {
      subject,
      workers,
      perSecond: (stats.count - 1) / ((stats.last - stats.first) / 1000),
      cpu: cpuPerItem(before, after, count),
      perDelivery: bytesPerDelivery([empty, filled, drained], count),
      bytes: Math.round(stats.bytes / stats.count),
      lost: Math.max(count - stats.distinct, unrecorded),
      repeated: stats.count - stats.distinct,
    }
  } finally {
    await Promise.all(started.map((worker) => worker.stop()))
    await rig.close()
  }
}

async function readCpu(context: BenchContext, pids: readonly number[]): Promise<CpuTimes> {
  const named = Object.fromEntries(pids.map((pid) => [String(pid), pid]))
  const times = await readCpuTimes(context, named)
  const worker = pids.reduce((sum, pid) => sum + (times[String(pid)] ?? Number.NaN), 0)
  const others = Object.entries(times).filter(([name]) => !(name in named))
  return { worker, ...Object.fromEntries(others) }
}

/** Waits until nothing changes any more. Returns how many of `count` still have no record. */
async function waitForRecords(context: BenchContext, rig: Rig, count: number): Promise<number> {
  let before = -1
  let changedAt = performance.now()
  for (;;) {
    const { rows } = await sql<{ logged: number }>`
      select count(distinct delivery_id)::int as logged from webhook_delivery_logs where delivery_status = 'delivered'
    `.execute(context.db)
    const missing = Math.max(count - (rows[0]?.logged ?? 0), await rig.countOpen())
    if (missing === 0 || performance.now() - changedAt > QUIET_MS) return missing
    if (missing !== before) changedAt = performance.now()
    before = missing
    await sleep(100)
  }
}
