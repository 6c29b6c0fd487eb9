import type { Ack, Receipt } from '../ledger.ts'
import type { Figure } from '../scenario.ts'

/**
 * Conclusions of scenarios from the requests that the endpoints received. Each returns faults in words; never
 * meeting the injected fault is a fault too.
 */

/**
 * S1: a delivery that is hit again during its repeat waits once more, so the limit applies to each repeat,
 * not to the lead.
 * @param limitMs from one request to its repeat
 */
export function judgeResends(receipts: readonly Receipt[], limitMs: number, figure: Figure): string[] {
  const waits = receipts.map(({ at, intended }) => at - (intended ?? at))
  figure('slowest lead', `${(Math.max(0, ...waits) / 1000).toFixed(1)} s`)
  const byAttempt = Map.groupBy(receipts, ({ deliveryId, attempt }) => `${deliveryId} ${attempt}`)
  const gaps = [...byAttempt.values()].flatMap((same) => pausesOf(same.map(({ at }) => at)))
  const longest = Math.max(0, ...gaps.map(({ ms }) => ms))
  figure('longest until sent again', `${(longest / 1000).toFixed(1)} s`)
  if (gaps.length === 0) return ['no request was in flight at a kill: the scenario proved nothing']
  return longest > limitMs ? [`a request was sent again only after ${Math.round(longest)} ms`] : []
}

/** S3: neither a first attempt nor the first retry, which waits `stepMs`, is late by this much. */
export function judgeLateness(
  receipts: readonly Receipt[],
  { stepMs, limitMs }: { stepMs: number; limitMs: number },
): string[] {
  const firsts = momentsOf(receipts, 1)
  const lateFirsts = receipts.filter(
    ({ at, intended, attempt }) => attempt === 1 && intended !== null && at - intended > limitMs,
  )
  const lateRetries = [...momentsOf(receipts, 2)].filter(
    ([delivery, at]) => at - (firsts.get(delivery) ?? at) - stepMs > limitMs,
  )
  const tell = (count: number, what: string): string[] =>
    count > 0 ? [`${count} ${what} took longer than ${limitMs / 1000} s`] : []
  return [
    ...tell(lateFirsts.length, 'lead(s)'),
    ...tell(lateRetries.length, 'retry(s), their step not counted,'),
  ]
}

/** S5: at least half of the leads offered before `mendedAt` arrived before it. */
export function judgeThroughput(
  { acks, receipts }: { acks: readonly Ack[]; receipts: readonly Receipt[] },
  mendedAt: number,
  figure: Figure,
): string[] {
  const intended = acks.filter((ack) => ack.intended < mendedAt).length
  const early = receipts.filter(({ at }) => at < mendedAt)
  const arrived = new Set(early.map(({ deliveryId }) => deliveryId)).size
  figure('throughput', `${Math.round((100 * arrived) / intended)} %`)
  if (intended === 0) return ['nothing was offered under the cuts: the scenario proved nothing']
  return arrived < intended / 2 ? [`only ${arrived} of ${intended} arrived under the cuts`] : []
}

/** S17: first retries follow PostgreSQL's clock, whatever the worker's clock says. */
export function judgeRetryTimes(receipts: readonly Receipt[], stepSeconds: number, figure: Figure): string[] {
  const firsts = momentsOf(receipts, 1)
  const waits = [...momentsOf(receipts, 2)].flatMap(([delivery, at]) => {
    const first = firsts.get(delivery)
    return first === undefined ? [] : [(at - first) / 1000]
  })
  figure('retries', String(waits.length))
  if (waits.length === 0) return ['nothing was retried: the scenario proved nothing']
  const [shortest, longest] = [Math.min(...waits), Math.max(...waits)]
  figure('shortest wait', `${shortest.toFixed(1)} s`)
  figure('longest wait', `${longest.toFixed(1)} s`)
  // The database allows a claim to be a second early.
  const faults = [shortest, longest].filter((wait) => wait < stepSeconds - 1.1 || wait > 20)
  return faults.map((wait) => `a retry came after ${wait.toFixed(1)} s`)
}

/** S18: the longest pause between two receipts that began while leads still arrived. */
export function judgeGaps(
  { acks, receipts }: { acks: readonly Ack[]; receipts: readonly Receipt[] },
  limitMs: number,
  figure: Figure,
): string[] {
  const [first, last] = [
    Math.min(...acks.map(({ intended }) => intended)),
    Math.max(...acks.map(({ intended }) => intended)),
  ]
  // The first lead's own delay counts as well.
  const pauses = pausesOf([first, ...receipts.map(({ at }) => at)]).filter(({ from }) => from < last)
  if (pauses.length === 0) return ['nothing arrived while leads came in: the scenario proved nothing']
  const longest = Math.max(...pauses.map(({ ms }) => ms))
  figure('longest gap', `${(longest / 1000).toFixed(1)} s`)
  return longest > limitMs ? [`nothing arrived for ${Math.round(longest)} ms`] : []
}

/** S25: nothing arrives later than this after the last fault. */
export function judgeRecovery(
  receipts: readonly Receipt[],
  { mendedAt, limitMs, forgotten }: { mendedAt: number; limitMs: number; forgotten: readonly number[] },
): string[] {
  if (forgotten.length === 0 || forgotten.includes(0))
    return ['there was no connection to forget: the scenario proved nothing']
  const late = receipts.filter(({ at }) => at > mendedAt + limitMs).length
  if (late === 0) return []
  return [`${late} lead(s) arrived more than ${limitMs / 1000} s after the last connection was forgotten`]
}

/** The first moment of each delivery's attempt with this number. */
function momentsOf(receipts: readonly Receipt[], attempt: number): Map<string, number> {
  const moments = new Map<string, number>()
  for (const receipt of receipts) {
    if (receipt.attempt !== attempt) continue
    moments.set(receipt.deliveryId, Math.min(moments.get(receipt.deliveryId) ?? Infinity, receipt.at))
  }
  return moments
}

function pausesOf(moments: readonly number[]): { from: number; ms: number }[] {
  const inOrder = moments.toSorted((one, other) => one - other)
  return inOrder.slice(1).map((at, index) => {
    const from = inOrder[index] ?? at
    return { from, ms: at - from }
  })
}
