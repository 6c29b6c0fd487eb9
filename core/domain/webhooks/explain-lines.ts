import type { EndpointStanding } from '#core/contract/operations/waits.ts'
import { findWaitReason, type Carriage, type WaitLimits, type WaitReason } from './why-waiting.ts'

/** What stands at one endpoint (core/data/operations/waits.ts). */
export interface Line {
  webhook_config_id: string
  client_user_id: string
  is_active: boolean
  breaker: 'closed' | 'open'
  probe_at: Date | null
  /** the delivery that waits longest is the one that tries an endpoint with an open breaker */
  is_probe: boolean
  /** due, and no worker has it; since when the first of them is due */
  waiting: number
  oldest_due: Date | null
  in_flight: number
  later: number
  /** when the first of what is planned for later is due */
  next_at: Date | null
  held: number
}

/** What only Redis knows: who works, and how endpoints have answered. */
export interface CarriageOfLines extends Carriage {
  standings: ReadonlyMap<string, EndpointStanding>
}

/**
 * Why the delivery that has waited longest at each endpoint has not begun; where none is due, why what is held, under way or
 * planned there has not come to its end. In the order given.
 * @param lines all of a client, so that what he has under way is known
 * @param around.clients with something due or in flight, whether they stand in these lines or not
 * @param around.in_flight of them all
 */
export function explainLines<L extends Line>(
  lines: readonly L[],
  around: {
    carriage: CarriageOfLines | null
    clients: number
    in_flight: number
    limits: WaitLimits
    now: Date
  },
): Array<{ line: L; standing: EndpointStanding | undefined; reason: WaitReason }> {
  const { carriage, limits, now } = around
  const standingOf = ({ webhook_config_id: id }: Line) => carriage?.standings.get(id)
  const ofClients = new Map(
    [...Map.groupBy(lines, ({ client_user_id: client }) => client)].map(([client, his]) => {
      const atNew = his.filter((line) => standingOf(line) === 'new')
      return [client, { of_client: sumInFlight(his), of_client_at_new: sumInFlight(atNew) }]
    }),
  )
  return lines.map((line) => {
    const own = ofClients.get(line.client_user_id) ?? { of_client: 0, of_client_at_new: 0 }
    const standing = standingOf(line)
    const traffic = { ...own, clients: around.clients, in_flight: around.in_flight }
    const reason = findWaitReason(firstOf(line), { ...line, standing }, traffic, carriage, limits, now)
    return { line, standing, reason }
  })
}

function firstOf({ waiting, oldest_due, is_probe, held, in_flight, next_at }: Line) {
  const free = { state: 'pending' as const, due_at: oldest_due, is_leased: false, is_probe, before: 0 }
  if (waiting > 0) return free
  if (held > 0) return { ...free, state: 'held' as const, due_at: null, is_probe: false }
  return in_flight > 0 ? { ...free, is_leased: true } : { ...free, due_at: next_at }
}

const sumInFlight = (lines: readonly Line[]): number =>
  lines.reduce((sum, { in_flight: count }) => sum + count, 0)
