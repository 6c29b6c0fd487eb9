import type { DeliverySeries, Overview } from '#core/contract/operations/overview.ts'
import type { Db } from '#core/data/database.ts'
import { countDeliveries, readOldestDue } from '#core/data/operations/overview/delivery-hours.ts'
import { listKeptHours, readKeptDeliveries } from '#core/data/operations/overview/kept-hours.ts'
import { judgeDeliveryHealth, type DeliverySum } from '#core/domain/webhooks/delivery-health.ts'
import type { ServerContext } from '../../../context.ts'

const HOUR_MS = 3_600_000
const MINUTES = 5
const PART_MS = MINUTES * 60_000
const POINTS = { hour: 12, day: 24 }

type Context = { db: Db; operations: Pick<ServerContext['operations'], 'readQueueState'> }

/** Whether everything runs, and how the deliveries of the last hour and day went. */
export async function readHealth(
  { db, operations }: Context,
  now: Date,
): Promise<Omit<Overview['health'], 'postgres_ms'>> {
  const [queueState, oldestDue, series] = await Promise.all([
    operations.readQueueState([]),
    readOldestDue(db),
    readSeries(db, now),
  ])
  return {
    workers: queueState?.workers ?? null,
    redis: queueState !== null,
    oldest_due_at: oldestDue?.toISOString() ?? null,
    ...series,
  }
}

/** Past hours are stored; the last hour, and hours that are not stored, are counted from the deliveries themselves. */
async function readSeries(db: Db, now: Date): Promise<{ hour: DeliverySeries; day: DeliverySeries }> {
  const currentPart = Math.floor(now.getTime() / PART_MS) * PART_MS
  const currentHour = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS
  const firstPart = currentPart - (POINTS.hour - 1) * PART_MS
  const firstHour = currentHour - (POINTS.day - 1) * HOUR_MS
  const hours = await listKeptHours(db, { begins: new Date(firstHour), ends: new Date(currentHour) })
  const known = await readKeptDeliveries(db, hours)
  // Everything since the first hour that is not stored.
  const unknown = Array.from({ length: POINTS.day }, (_, hour) => firstHour + hour * HOUR_MS).find(
    (hour) => !known.has(hour),
  )
  const since = Math.min(firstPart, unknown ?? currentHour)
  const counted = await countDeliveries(db, { begins: new Date(since), ends: now }, MINUTES)
  const ofHour = (hour: number) =>
    known.get(hour) ?? counted.filter(({ at }) => at >= hour && at < hour + HOUR_MS)
  return {
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
