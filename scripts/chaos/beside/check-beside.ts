import type { Receipt } from '../ledger.ts'
import type { Span } from '../../lab/receiver/read-receipts.ts'
import type { EditedWebhook } from './desk.ts'

/** An event from the database. */
export interface PlannedEvent {
  id: string
  type: string
  clientId: string | null
  /** milliseconds since the epoch */
  plannedAt: number | null
}

/** Evidence beyond the ledger: in these runs webhooks come and go, and a client has several. */
export interface BesideEvidence {
  events: readonly PlannedEvent[]
  receipts: readonly Receipt[]
  /** the owner of each endpoint, edited ones included */
  ownerOf: ReadonlyMap<number, string>
  /** the client whose webhooks are edited */
  editedClient: string
  webhooks: readonly EditedWebhook[]
}

/**
 * Checks that nothing reaches another client. An edited webhook must get every event that was planned while
 * it was on. Of events planned during a pause it must get none before the pause ends; whether it gets them
 * afterwards depends on the version that planned them.
 */
export function checkBeside({ events, receipts, ownerOf, editedClient, webhooks }: BesideEvidence): string[] {
  const faults: string[] = []
  const report = (count: number, what: string): void => {
    if (count > 0) faults.push(`${count} ${what}`)
  }
  const clientOf = new Map(events.map(({ id, clientId }) => [id, clientId]))
  const astray = receipts.filter(({ endpoint, eventId }) => ownerOf.get(endpoint) !== clientOf.get(eventId))
  report(astray.length, "request(s) at another client's endpoint")

  const firstAt = new Map<string, number>()
  for (const { endpoint, eventId, at } of receipts) {
    const key = `${endpoint} ${eventId}`
    firstAt.set(key, Math.min(at, firstAt.get(key) ?? at))
  }
  const wasSentIn = (pause: Span, event: PlannedEvent, endpoint: number): boolean =>
    isWithin(event, [pause]) && (firstAt.get(`${endpoint} ${event.id}`) ?? Infinity) <= pause.until
  const assigned = events.filter(
    ({ type, clientId }) => type === 'lead.assigned' && clientId === editedClient,
  )
  let missing = 0
  let unwanted = 0
  for (const { endpoint, on, off } of webhooks) {
    const has = ({ id }: PlannedEvent): boolean => firstAt.has(`${endpoint} ${id}`)
    missing += assigned.filter((event) => isWithin(event, on) && !has(event)).length
    unwanted += assigned.filter((event) => off.some((pause) => wasSentIn(pause, event, endpoint))).length
  }
  report(missing, 'event(s) that never came to an edited webhook that was on')
  report(unwanted, 'event(s) of a pause that were sent in it all the same')
  return faults
}

function isWithin({ plannedAt }: PlannedEvent, spans: readonly Span[]): boolean {
  return plannedAt !== null && spans.some(({ from, until }) => plannedAt >= from && plannedAt <= until)
}
