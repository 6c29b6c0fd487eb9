import { sql } from 'kysely'
import { expect } from 'vitest'
import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import type { DueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { planDeliveries } from '#core/use-cases/planning/plan-deliveries.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import type { LabProcess } from '#scripts/lab/start-process.ts'
import { drain, givenLead } from '../given/pipeline.ts'
import type { CrashPoint } from './crash-point.ts'

/** How long it may take until somebody makes good what a dead process left, on a busy machine. */
export const WITHIN = {
  /** a look at what is due, once a second; a look at the outbox, every two */
  aLook: 20_000,
  /** the lease of the tests, 15 s, and a look */
  aLease: 40_000,
  /** a job's lock, 15 s, and two looks at what has stalled, 5 s each */
  aLock: 50_000,
} as const

async function giveLeads({ pipeline, client }: CrashPoint, count: number) {
  const leads: string[] = []
  for (let index = 0; index < count; index += 1) leads.push(await givenLead(pipeline.db, client))
  return await findEventsToEnqueueOfLeads(pipeline.db, leads)
}

/** Leads whose events Redis has, in as few jobs as they fit in; PostgreSQL knows. */
export async function enqueueTogether(point: CrashPoint, count: number): Promise<void> {
  const events = await giveLeads(point, count)
  expect(await point.pipeline.context.events.publish(events, { mark: 'now' })).toBe(true)
}

/** Leads whose deliveries are planned and due, and nobody is told. */
export async function planQuietly(point: CrashPoint, count: number): Promise<DueDelivery[]> {
  const events = await giveLeads(point, count)
  return await planDeliveries(
    point.pipeline.db,
    events.map(({ id }) => ({ event_id: id, turn: 0 })),
  )
}

/** Waits until it is dead; answers how many requests were under way then, which alone may come again. */
export async function watchDeath(point: CrashPoint, doomed: LabProcess): Promise<number> {
  await doomed.ended()
  const { receipts, logs } = await point.ledger()
  return receipts - logs
}

/** What a dead worker had of a queue does not run again: its locks outlive the test. */
export async function keepLocked({ pipeline: { context } }: CrashPoint, queue: string): Promise<number> {
  const locks = await context.redis.keys(`${queuePrefix(context.config.redis)}:${queue}:*:lock`)
  await Promise.all(locks.map((lock) => context.redis.pexpire(lock, 3_600_000)))
  return locks.length
}

/** Each lead is delivered within the time, is in the log once, and came again only where a request was under way at the death. */
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

/** Deliveries that somebody has the lease of. */
export async function countLeased({ pipeline: { db } }: CrashPoint): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_deliveries where state = 'pending' and lease_until > now()`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
