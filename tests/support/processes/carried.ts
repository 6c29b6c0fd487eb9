import { sql } from 'kysely'
import { expect } from 'vitest'
import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import type { DueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { planDeliveries } from '#core/use-cases/planning/plan-deliveries.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import type { LabProcess } from '#scripts/lab/start-process.ts'
import { drain, givenLead } from '../given/pipeline.ts'
import type { CrashPoint } from './crash-point.ts'

/** Time limits for the recovery after a process has died, on a busy machine. */
export const WITHIN = {
  /** a poll for due deliveries, once a second; a poll of the outbox, every two seconds */
  aLook: 20_000,
  /** the lease in tests, 15 s, and a poll */
  aLease: 40_000,
  /** a job's lock, 15 s, and two checks for stalled jobs, 5 s each */
  aLock: 50_000,
} as const

async function giveLeads({ pipeline, client }: CrashPoint, count: number) {
  const leads: string[] = []
  for (let index = 0; index < count; index += 1) leads.push(await givenLead(pipeline.db, client))
  return await findEventsToEnqueueOfLeads(pipeline.db, leads)
}

/** Creates leads whose events are in Redis in as few jobs as possible, and marked in PostgreSQL. */
export async function enqueueTogether(point: CrashPoint, count: number): Promise<void> {
  const events = await giveLeads(point, count)
  expect(await point.pipeline.context.events.publish(events, { mark: 'now' })).toBe(true)
}

/** Creates leads whose deliveries are planned and due, without a wake-up. */
export async function planQuietly(point: CrashPoint, count: number): Promise<DueDelivery[]> {
  const events = await giveLeads(point, count)
  return await planDeliveries(
    point.pipeline.db,
    events.map(({ id }) => ({ event_id: id, turn: 0 })),
  )
}

/**
 * Waits until the process is dead; returns the number of requests in flight at that time, the only ones that
 * may be repeated.
 */
export async function watchDeath(point: CrashPoint, doomed: LabProcess): Promise<number> {
  await doomed.ended()
  const { receipts, logs } = await point.ledger()
  return receipts - logs
}

/** Keeps a dead worker's jobs locked for longer than the test, so that they do not run again. */
export async function keepLocked({ pipeline: { context } }: CrashPoint, queue: string): Promise<number> {
  const locks = await context.redis.keys(`${queuePrefix(context.config.redis)}:${queue}:*:lock`)
  await Promise.all(locks.map((lock) => context.redis.pexpire(lock, 3_600_000)))
  return locks.length
}

/**
 * Checks that each lead is delivered in time, is logged once, and was repeated only if its request was in
 * flight at the death.
 */
export async function expectEachDelivered(
  point: CrashPoint,
  count: number,
  { underWay, withinMs }: { underWay: number; withinMs: number },
): Promise<void> {
  await drain(point.pipeline.context, withinMs)
  const { receipts, ...ledger } = await point.ledger()
  expect(ledger).toMatchObject({ deliveries: { delivered: count }, logs: count, webhookIds: count })
  expect(receipts).toBeGreaterThanOrEqual(count)
  expect(receipts).toBeLessThanOrEqual(count + underWay)
}

/** Counts the deliveries with a lease. */
export async function countLeased({ pipeline: { db } }: CrashPoint): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_deliveries where state = 'pending' and lease_until > now()`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
