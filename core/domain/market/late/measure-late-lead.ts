import type { LatePart, LatePartName } from '#core/contract/market/late-lead.ts'

/** The promise: the first attempt begins so soon, counted without what is left out (docs/operations/alerts.md). */
export const LATE_AFTER_MS = 5000
/** A longer part of ours is left to a person. */
const ABSURD_MS = 24 * 3_600_000
/** Times that are in the wrong order by less than this are those of one moment. */
const TOLERATED_MS = 1000

/** The times of a sold lead, all by the database's clock. */
export interface LeadTimes {
  received_at: Date
  /** when it was first offered before its sale; null: it was not, for example because its source named the client */
  offered_at: Date | null
  /** when it was first decided, before its sale, that no order takes it; null: its first decision sold it */
  refused_at: Date | null
  sold_at: Date
  planned_at: Date
  /** since when the delivery was due that was attempted first */
  due_at: Date
  begun_at: Date
  /** another client had it before */
  is_resold: boolean
  /** it came in an import or in a burst, and so had a lower priority */
  is_bulk: boolean
  /** the database's clock jumped meanwhile */
  has_jump: boolean
}

/** A half-open span of time, in milliseconds. */
export interface Interval {
  from: number
  to: number
}

/** `unclear`: its times cannot be trusted. */
export interface Measured {
  verdict: 'in_time' | 'late' | 'unclear'
  reason: 'times_out_of_order' | 'clock_jumped' | 'too_long' | null
  ours_ms: number
  parts: LatePart[]
}

/** The parts of which the clock counts. */
const OURS: readonly LatePartName[] = ['sale', 'planning', 'sending']

/**
 * Measures our part of the time from a lead's receipt to its first attempt (docs/product.md §10).
 * @param busy the times in which the client's own requests took all slots that one client or endpoint gets, in order
 */
export function measureLateLead(times: LeadTimes, busy: readonly Interval[]): Measured {
  const parts = [...cutSale(times), ...cutSending(times, busy)]
  const ours = parts.reduce((sum, { ms, is_ours: isOurs }) => (isOurs ? sum + ms : sum), 0)
  const shown = parts.filter(({ ms }) => ms > 0)
  const judged = (verdict: Measured['verdict'], reason: Measured['reason'] = null): Measured => ({
    verdict,
    reason,
    ours_ms: ours,
    parts: shown,
  })
  // In the wrong order, the parts say nothing: a clock that was put back may hide how late the lead was.
  if (isOutOfOrder(times)) return judged('unclear', 'times_out_of_order')
  if (times.is_bulk || ours <= LATE_AFTER_MS) return judged('in_time')
  if (times.has_jump) return judged('unclear', 'clock_jumped')
  return ours > ABSURD_MS ? judged('unclear', 'too_long') : judged('late')
}

/** From the receipt to the sale. */
function cutSale({ received_at, offered_at, refused_at, sold_at, is_resold }: LeadTimes): LatePart[] {
  const [received, sold] = [received_at.getTime(), sold_at.getTime()]
  if (is_resold || offered_at === null) return [part('not_for_sale', received, sold)]
  const refused = refused_at?.getTime() ?? sold
  return [part('sale', received, refused), part('no_order', refused, sold)]
}

/** From the sale to the first attempt. */
function cutSending({ sold_at, planned_at, due_at, begun_at }: LeadTimes, busy: readonly Interval[]) {
  const [planned, begun] = [planned_at.getTime(), begun_at.getTime()]
  const due = Math.min(Math.max(planned, due_at.getTime()), Math.max(planned, begun))
  const own = busy.reduce(
    (sum, { from, to }) => sum + Math.max(0, Math.min(to, begun) - Math.max(from, due)),
    0,
  )
  const sending = part('sending', due, begun)
  return [
    part('planning', sold_at.getTime(), planned),
    part('put_off', planned, due),
    { part: 'own_requests' as const, ms: Math.round(own), is_ours: false },
    { ...sending, ms: sending.ms - Math.round(own) },
  ]
}

function part(name: LatePartName, from: number, to: number): LatePart {
  return { part: name, ms: Math.max(0, Math.round(to - from)), is_ours: OURS.includes(name) }
}

function isOutOfOrder({ received_at, refused_at, sold_at, planned_at, begun_at }: LeadTimes): boolean {
  const known = [received_at, refused_at ?? received_at, sold_at, planned_at, begun_at]
  return known.some((at, index) => at.getTime() < (known[index - 1] ?? at).getTime() - TOLERATED_MS)
}
