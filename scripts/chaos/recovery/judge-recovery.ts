import { sql } from 'kysely'
import type { Ack, Receipt } from '../ledger.ts'
import type { World } from '../world.ts'

/** The counts from before everything was destroyed, and from after it was restored. */
export interface Recovery {
  accepted: number
  present: number
  lost: number
  /** how long before the destruction the oldest lost lead was accepted */
  lostSeconds: number
  /** deliveries that were received with success more than once */
  doubled: number
  /** of those, deliveries that were finished in the recovered database: there must be none */
  unexplained: number
  /** `webhook-id`s of repeats that are not those of the first request: there must be none */
  renamed: number
  /** leads that are there, and whose deliveries were received */
  delivered: number
}

/** Ids of deliveries that are finished. */
export async function readFinished({ db }: World): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from webhook_deliveries where finished_at is not null`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * @param destroyedAt milliseconds since the epoch
 * @param finished deliveries that were finished in the recovered database, before any process was started
 */
export async function judgeRecovery(
  world: World,
  acks: readonly Ack[],
  { destroyedAt, finished }: { destroyedAt: number; finished: ReadonlySet<string> },
): Promise<Recovery> {
  const before = acks.filter(({ ackedAt }) => ackedAt <= destroyedAt)
  const { rows } = await sql<{ id: string }>`select id from leads`.execute(world.db)
  const there = new Set(rows.map(({ id }) => id))
  const lost = before.filter(({ leadId }) => !there.has(leadId))
  const { rows: deliveries } = await sql<{ id: string; event: string; lead: string }>`
    select id, event_id as event, lead_id as lead from webhook_deliveries`.execute(world.db)
  const received = (await world.receiver.receipts()).filter(isSuccess)
  const byPair = Map.groupBy(received, ({ eventId, endpoint }) => `${eventId} ${endpoint}`)
  const doubled = [...byPair.values()].filter((all) => all.length > 1)
  const unexplained = doubled.filter((all) => all.some(({ deliveryId }) => finished.has(deliveryId)))
  const events = new Set(received.map(({ eventId }) => eventId))
  const eventOf = new Map(deliveries.map(({ id, event }) => [id, event]))
  const reached = new Set(deliveries.filter(({ event }) => events.has(event)).map(({ lead }) => lead))
  return {
    accepted: acks.length,
    present: acks.filter(({ leadId }) => there.has(leadId)).length,
    lost: lost.length,
    lostSeconds: Math.max(0, ...lost.map(({ ackedAt }) => (destroyedAt - ackedAt) / 1000)),
    doubled: doubled.length,
    unexplained: unexplained.length,
    renamed: received.filter(({ deliveryId, eventId }) => (eventOf.get(deliveryId) ?? eventId) !== eventId)
      .length,
    delivered: acks.filter(({ leadId }) => reached.has(leadId)).length,
  }
}

const isSuccess = ({ answered }: Receipt): boolean => answered !== null && answered >= 200 && answered < 300
