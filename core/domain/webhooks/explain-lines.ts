import type { EndpointStanding } from '#core/contract/operations/waits.ts'
import type { SendingHours } from '#core/contract/webhooks/sending-hours.ts'
import { findWaitReason, type Carriage, type JudgeRoom, type WaitReason } from './why-waiting.ts'

/** The waiting deliveries of one endpoint (core/data/operations/waits.ts). */
export interface Line {
  webhook_config_id: string
  client_user_id: string
  is_active: boolean
  /** whether administrators have paused all sending to its client; left out: no */
  is_paused?: boolean
  breaker: 'closed' | 'open'
  probe_at: Date | null
  /** whether the delivery that waits longest is the probe of an open breaker */
  is_probe: boolean
  /** whether the delivery that waits longest is a retry, or the excess of a burst */
  gives_way: boolean
  /** whether the endpoint's last attempt got no answer, or one that asks for less */
  is_strained: boolean
  /** number of due deliveries that no worker has; since when the first of them is due */
  waiting: number
  oldest_due: Date | null
  in_flight: number
  later: number
  /** when the first of the planned ones is due */
  next_at: Date | null
  held: number
  /** held deliveries that their owner sends or discards, because the webhook was off when they were planned */
  offered: number
  sending_hours?: SendingHours | null
  next_token_at?: Date | null
}

/** The deliveries under way at one endpoint. */
export type LineUnderWay = Pick<Line, 'webhook_config_id' | 'client_user_id' | 'in_flight'>

/**
 * The facts that only Redis knows: the workers, the endpoints' speed classes, and the endpoints with heavy deliveries.
 */
export interface QueueStateOfLines extends Carriage {
  speeds: ReadonlyMap<string, EndpointStanding>
  heavy: ReadonlySet<string>
}

/**
 * Explains why the delivery that has waited longest at each endpoint has not begun. If none is due, it explains why the
 * held, planned or active ones there are not finished. Returns reasons in the given order.
 * @param around.clients clients with something due or in flight, in these lines or not
 * @param around.under_way all clients' deliveries in flight; the speed classes of their endpoints must be known as well
 */
export function explainLines<L extends Line>(
  lines: readonly L[],
  around: {
    queueState: QueueStateOfLines | null
    clients: number
    under_way: readonly LineUnderWay[]
    judgeRoom: JudgeRoom
    now: Date
  },
): Array<{ line: L; speed: EndpointStanding | undefined; reason: WaitReason }> {
  const { queueState, clients, judgeRoom, now } = around
  const speedOf = (id: string) => queueState?.speeds.get(id)
  const tally = (lot: readonly LineUnderWay[]) => {
    const sum = { new: 0, proved: 0, slow: 0 }
    for (const { webhook_config_id: id, in_flight: count } of lot) sum[speedOf(id) ?? 'proved'] += count
    return sum
  }
  const all = tally(around.under_way)
  const ofClients = Map.groupBy(around.under_way, ({ client_user_id: client }) => client)
  return lines.map((line) => {
    const speed = speedOf(line.webhook_config_id)
    const traffic = { own: tally(ofClients.get(line.client_user_id) ?? []), all, clients }
    const endpoint = { ...line, speed, is_heavy: queueState?.heavy.has(line.webhook_config_id) ?? false }
    const reason = findWaitReason(firstOf(line), endpoint, traffic, queueState, judgeRoom, now)
    return { line, speed, reason }
  })
}

function firstOf({ waiting, oldest_due, is_probe, gives_way, held, in_flight, next_at, offered }: Line) {
  const free = {
    state: 'pending' as const,
    due_at: oldest_due,
    is_leased: false,
    is_probe,
    gives_way,
    is_offered: false,
  }
  if (waiting > 0) return free
  const isHeld = { ...free, state: 'held' as const, due_at: null, is_probe: false }
  if (held > offered) return isHeld
  if (in_flight > 0) return { ...free, is_leased: true }
  return offered > 0 && next_at === null ? { ...isHeld, is_offered: true } : { ...free, due_at: next_at }
}
