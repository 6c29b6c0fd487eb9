import type { Receipt } from '../ledger.ts'
import type { AttemptRow } from '../read-logs.ts'
import type { Figure } from '../scenario.ts'

/** The database allows a claim to be a second early. */
const EARLY_MS = 1100
/**
 * The busiest second may have at most this many times more planned retries than throttled requests, because
 * equal waits keep the requests apart.
 */
const CROWDED = 1.5
/** Duration of a healthy endpoint's answer: a sooner request has not waited for the first one's answer. */
const ANSWER_MS = 10
/** At most this many requests may come together after an endpoint's return, because two may meet by chance. */
const ALONE = 2

/** The scenario itself made deliveries for this endpoint due at this moment. */
export interface Forwarded {
  endpoint: number
  from: number
}

/**
 * S13: throttled deliveries come back. None arrives before its planned time, and the planned times are no
 * more crowded than the requests were. An endpoint that answers again first gets one request; the others
 * wait for its answer.
 */
export function judgeReturn(
  { attempts, receipts }: { attempts: readonly AttemptRow[]; receipts: readonly Receipt[] },
  forwarded: Forwarded,
  figure: Figure,
): string[] {
  const throttled = attempts.filter(({ errorClass }) => errorClass === 'throttled')
  const planned = throttled.flatMap(({ nextAt }) => (nextAt === null ? [] : [nextAt]))
  const returned = receipts.filter(({ attempt, answered }) => attempt > 1 && answered !== 429)
  if (planned.length === 0 || returned.length === 0)
    return ['nobody was told to wait and came back: the scenario proved nothing']
  const made = busiestSecond(throttled.map(({ madeAt }) => madeAt))
  const crowd = busiestSecond(planned)
  figure('busiest second, throttled', String(made))
  figure('busiest second, planned', String(crowd))
  const early = countEarly(throttled, receipts, forwarded)
  return [
    ...(early > 0 ? [`${early} request(s) came before their planned time`] : []),
    ...(crowd > made * CROWDED
      ? [`${crowd} of ${planned.length} retries were planned for one second; ${made} had been made in one`]
      : []),
    ...findStampedes(receipts, forwarded),
  ]
}

/** The largest number of these moments within one second. */
function busiestSecond(moments: readonly number[]): number {
  const inOrder = moments.toSorted((one, other) => one - other)
  let from = 0
  return inOrder.reduce((most, at, index) => {
    while ((inOrder[from] ?? at) <= at - 1000) from += 1
    return Math.max(most, index - from + 1)
  }, 0)
}

function countEarly(
  throttled: readonly AttemptRow[],
  receipts: readonly Receipt[],
  { endpoint, from }: Forwarded,
): number {
  const keyOf = (delivery: string, attempt: number): string => `${delivery} ${attempt}`
  const due = new Map(
    throttled.map((row) => [
      keyOf(row.deliveryId, row.attempt + 1),
      Math.min(row.nextAt ?? -Infinity, row.endpoint === endpoint ? from : Infinity),
    ]),
  )
  return receipts.filter(
    ({ deliveryId, attempt, at }) => at < (due.get(keyOf(deliveryId, attempt)) ?? -Infinity) - EARLY_MS,
  ).length
}

/** Endpoints that got several requests before they had answered the first one after their return. */
function findStampedes(receipts: readonly Receipt[], forwarded: Forwarded): string[] {
  return [...Map.groupBy(receipts, ({ endpoint }) => endpoint)].flatMap(([endpoint, theirs]) => {
    // The scenario released its deliveries together.
    if (endpoint === forwarded.endpoint) return []
    const stormUntil = Math.max(...theirs.filter(({ answered }) => answered === 429).map(({ at }) => at))
    const after = theirs.map(({ at }) => at).filter((at) => at > stormUntil)
    const first = Math.min(...after)
    const together = after.filter((at) => at < first + ANSWER_MS).length
    if (together <= ALONE) return []
    return [`${together} requests came at once to endpoint ${endpoint} as soon as it answered again`]
  })
}
