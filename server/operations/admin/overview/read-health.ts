import type { DeliverySeries, Overview } from '#core/contract/operations/overview.ts'
import type { Db } from '#core/data/database.ts'
import { countDeliveries, readOldestDue } from '#core/data/operations/overview/delivery-hours.ts'
import { listKeptHours, readKeptDeliveries, readPast } from '#core/data/operations/overview/kept-hours.ts'
import { judgeDeliveryHealth, type DeliverySum } from '#core/domain/webhooks/delivery-health.ts'
import type { ServerContext } from '../../../context.ts'
import { chooseHours, floorHour } from './choose-hours.ts'

const HOUR_MS = 3_600_000
const MINUTES = 5
const PART_MS = MINUTES * 60_000
const POINTS = { hour: 12, day: 24 }

type Context = { db: Db; operations: Pick<ServerContext['operations'], 'readQueueState'> }

/** Whether everything runs, and how the deliveries of the last hour and day went. */
export async function readHealth(
  { db, operations }: Context,
  now: Date,
): Promise<{ health: Omit<Overview['health'], 'postgres_ms' | 'unknown_proxies'>; unsummed_hours: number }> {
  const [queueState, oldestDue, { unsummed_hours, ...series }] = await Promise.all([
    operations.readQueueState([]),
    readOldestDue(db),
    readSeries(db, now),
  ])
  const health = {
    workers: queueState?.workers ?? null,
    redis: queueState !== null,
    oldest_due_at: oldestDue?.toISOString() ?? null,
    ...series,
  }
  return { health, unsummed_hours }
}

/** Past hours are stored; the last hour, and hours that are not stored, are counted from the deliveries themselves. */
async function readSeries(
  db: Db,
  now: Date,
): Promise<{ hour: DeliverySeries; day: DeliverySeries; unsummed_hours: number }> {
  const currentPart = Math.floor(now.getTime() / PART_MS) * PART_MS
  const currentHour = floorHour(now.getTime())
  const firstPart = currentPart - (POINTS.hour - 1) * PART_MS
  const firstHour = currentHour - (POINTS.day - 1) * HOUR_MS
  const hours = await listKeptHours(db, { begins: new Date(firstHour), ends: new Date(currentHour) })
  const known = await readKeptDeliveries(
    db,
    hours.map(({ hour }) => hour),
  )
  const { count, left } = await chooseHours(
    { begins: firstHour, now: now.getTime(), known: new Set(known.keys()) },
    () => readPast(db, 'webhook_deliveries'),
  )
  // Everything since the first hour that is counted.
  const since = Math.min(firstPart, count[0] ?? currentHour)
  const counted = await countDeliveries(db, { begins: new Date(since), ends: now }, MINUTES)
  const ofHour = (hour: number) =>
    known.get(hour) ?? counted.filter(({ at }) => at >= hour && at < hour + HOUR_MS)
  return {
    unsummed_hours: left,
    hour: judge(POINTS.hour, firstPart, PART_MS, (at) => counted.filter((part) => part.at === at)),
    day: judge(POINTS.day, firstHour, HOUR_MS, ofHour),
  }
}

function judge(
  points: number,
  first: number,
  stepMs: number,
  read: (at: number) => readonly DeliverySum[],
): DeliverySeries {
  const parts = Array.from({ length: points }, (_, index) => first + index * stepMs).map((at) => ({
    at,
    sums: read(at),
  }))
  return {
    ...judgeDeliveryHealth(parts.flatMap(({ sums }) => sums)),
    points: parts.map(({ at, sums }) => ({ at: new Date(at).toISOString(), ...judgeDeliveryHealth(sums) })),
  }
}
