import type { AmbiguousFault, ConfigRow, DeliveryRow, EventRow, Ledger, Receipt } from './ledger.ts'

export type Invariant = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6'

export interface Violation {
  invariant: Invariant
  what: string
}

export interface Verdict {
  acked: number
  /** accepted leads whose every delivery was received and answered with success */
  delivered: number
  /** accepted leads without their event, or with a delivery that is neither delivered nor out of attempts */
  lost: number
  repeatsAllowed: number
  repeatsSeen: number
  /** the 99th percentile of healthy leads; null if none was measured */
  healthyP99Ms: number | null
  violations: Violation[]
}

/**
 * An answer may take this long to reach PostgreSQL, so a fault also excuses repeats of requests received this long
 * before it.
 */
const UNRECORDED_MS = 5000

/**
 * Checks the invariants. I1: an accepted lead has its events, each once. I2: every event ends at every
 * configuration it concerns, delivered or out of attempts, and nowhere else. I3: nothing is sent again except
 * what an injected fault made ambiguous. I4: the log has every request and no other. I5: nothing stays behind
 * in Redis. I6: clients outside the fault do not notice it.
 */
export function checkLedger(ledger: Ledger): Verdict {
  const violations: Violation[] = []
  const report = (invariant: Invariant, count: number, what: string): void => {
    if (count > 0) violations.push({ invariant, what: `${count} ${what}` })
  }
  const lostLeads = checkEvents(ledger, report)
  const { lost, delivered } = checkDeliveries(ledger, lostLeads, report)
  const repeats = checkRepeats(ledger, report)
  checkLogs(ledger, report)
  for (const { queue, waiting, active, delayed, failed, orphans } of ledger.queues) {
    report('I5', waiting + active + delayed, `job(s) still waiting, active or delayed in ${queue}`)
    report('I5', failed, `failed job(s) in ${queue}`)
    report('I5', orphans, `job(s) of ${queue} in no list`)
  }
  const healthyP99Ms = checkHealthy(ledger, report)
  return {
    acked: ledger.acks.length,
    delivered,
    lost,
    repeatsAllowed: repeats.allowed,
    repeatsSeen: repeats.seen,
    healthyP99Ms,
    violations,
  }
}

type Report = (invariant: Invariant, count: number, what: string) => void

/** Returns the accepted leads without a usable event. */
function checkEvents(ledger: Ledger, report: Report): Set<string> {
  const byLead = Map.groupBy(ledger.events, ({ leadId }) => leadId)
  const countOf = (leadId: string, type: string): number =>
    (byLead.get(leadId) ?? []).filter((event) => event.type === type).length
  const lost = new Set<string>()
  /** the number of clients that it may have been assigned to */
  const countClients = (leadId: string): number => {
    const assigned = (byLead.get(leadId) ?? []).filter(({ type }) => type === 'lead.assigned')
    return ledger.isMarket === true ? new Set(assigned.map(({ clientId }) => clientId)).size : 1
  }
  let repeated = 0
  for (const { leadId } of ledger.acks) {
    const created = countOf(leadId, 'lead.created')
    const assigned = countOf(leadId, 'lead.assigned')
    if (created === 0 || (assigned === 0 && ledger.isMarket !== true)) lost.add(leadId)
    if (created > 1 || assigned > countClients(leadId)) repeated += 1
  }
  report('I1', lost.size, 'acknowledged lead(s) without their events')
  report('I1', repeated, 'lead(s) with an event twice')
  const leadsOf = Map.groupBy(ledger.acks, ({ externalId }) => externalId)
  const split = [...leadsOf.values()].filter((acks) => new Set(acks.map(({ leadId }) => leadId)).size > 1)
  report('I1', split.length, 'repeated request(s) that made a second lead')
  return lost
}

function checkDeliveries(
  ledger: Ledger,
  lostLeads: Set<string>,
  report: Report,
): { lost: number; delivered: number } {
  const configs = new Map(ledger.configs.map((config) => [config.id, config]))
  const configsOf = Map.groupBy(ledger.configs, ({ clientId }) => clientId)
  const byPair = Map.groupBy(ledger.deliveries, ({ eventId, configId }) => `${eventId} ${configId}`)
  const successes = new Set(
    ledger.receipts
      .filter(({ answered }) => answered !== null && answered >= 200 && answered < 300)
      .map(({ deliveryId }) => deliveryId),
  )
  const isOver = (delivery: DeliveryRow): boolean =>
    delivery.state === 'delivered' || (delivery.state === 'failed' && delivery.attempt >= ledger.attempts)
  const open = new Set<string>()
  const undelivered = new Set<string>()
  const received = new Set<string>()
  const tally = { missing: 0, unplanned: 0, twice: 0, open: 0, unproven: 0, astray: 0, misnamed: 0 }
  for (const event of ledger.events) {
    const expected = expectedConfigs(event, configsOf.get(event.clientId ?? '') ?? [])
    if (expected.length > 0 && !event.isPlanned) tally.unplanned += 1
    for (const config of expected) {
      const deliveries = byPair.get(`${event.id} ${config.id}`) ?? []
      const [delivery] = deliveries
      if (deliveries.length > 1) tally.twice += 1
      if (delivery === undefined) tally.missing += 1
      else if (!isOver(delivery)) tally.open += 1
      else if (delivery.state === 'delivered' && !successes.has(delivery.id)) tally.unproven += 1
      const reached = delivery !== undefined && successes.has(delivery.id)
      if (delivery === undefined || !isOver(delivery) || (delivery.state === 'delivered' && !reached))
        open.add(event.leadId)
      if (reached && delivery.state === 'delivered') received.add(event.leadId)
      if (!reached) undelivered.add(event.leadId)
    }
  }
  const deliveryById = new Map(ledger.deliveries.map((delivery) => [delivery.id, delivery]))
  for (const receipt of ledger.receipts) {
    const delivery = deliveryById.get(receipt.deliveryId)
    const config = configs.get(delivery?.configId ?? '')
    if (config !== undefined && config.endpoint !== receipt.endpoint) tally.astray += 1
    if (delivery !== undefined && delivery.eventId !== receipt.eventId) tally.misnamed += 1
  }
  report('I2', tally.missing, 'delivery(s) that were never planned')
  report('I2', tally.unplanned, 'event(s) not marked as planned')
  report('I2', tally.twice, 'event(s) planned twice for one configuration')
  report('I2', tally.open, 'delivery(s) neither delivered nor out of attempts')
  report('I2', tally.unproven, 'delivery(s) called delivered that no endpoint received with success')
  report('I2', tally.misnamed, 'request(s) whose webhook-id is not their event')
  report('I2', tally.astray, 'request(s) at an endpoint of another configuration')
  const acked = new Set(ledger.acks.map(({ leadId }) => leadId))
  const lost = [...acked].filter((leadId) => lostLeads.has(leadId) || open.has(leadId)).length
  // On the market an earlier owner may have been unreachable; one successful delivery is enough.
  const isDelivered = (leadId: string): boolean =>
    ledger.isMarket === true ? received.has(leadId) : !undelivered.has(leadId)
  const delivered = [...acked].filter((leadId) => !lostLeads.has(leadId) && isDelivered(leadId)).length
  return { lost, delivered }
}

function expectedConfigs(event: EventRow, configsOfClient: readonly ConfigRow[]): ConfigRow[] {
  return configsOfClient.filter(
    (config) =>
      (event.type === 'lead.created' && config.onCreated) ||
      (event.type === 'lead.assigned' && config.onAssigned),
  )
}

function checkRepeats(ledger: Ledger, report: Report): { allowed: number; seen: number } {
  const byAttempt = Map.groupBy(ledger.receipts, ({ deliveryId, attempt }) => `${deliveryId} ${attempt}`)
  const usedBy = new Map<AmbiguousFault, number>()
  let seen = 0
  let cut = 0
  let unexplained = 0
  for (const receipts of byAttempt.values()) {
    const inOrder = receipts.toSorted((one, other) => one.at - other.at)
    const used = new Set<AmbiguousFault>()
    let hasRepeatedCut = false
    for (const before of inOrder.slice(0, -1)) {
      seen += 1
      // One repeat on a new connection is allowed: whether the request was read is unknown
      // (docs/decisions/0009).
      if (before.wasCut && !hasRepeatedCut) {
        hasRepeatedCut = true
        cut += 1
        continue
      }
      const fault = ledger.ambiguous.find((one) => !used.has(one) && explains(one, before))
      if (fault === undefined) unexplained += 1
      else {
        used.add(fault)
        usedBy.set(fault, (usedBy.get(fault) ?? 0) + 1)
      }
    }
  }
  report('I3', unexplained, 'request(s) made again without a fault that made them doubtful')
  for (const [fault, count] of usedBy)
    report('I3', Math.max(0, count - fault.inFlight), `more repeat(s) than were in flight at: ${fault.what}`)
  const allowed = ledger.ambiguous.reduce(
    (sum, fault) =>
      sum + Math.min(fault.inFlight, ledger.receipts.filter((receipt) => explains(fault, receipt)).length),
    0,
  )
  return { allowed: allowed + cut, seen }
}

function explains(fault: AmbiguousFault, receipt: Receipt): boolean {
  return receipt.at >= fault.from - UNRECORDED_MS && receipt.at <= fault.until
}

function checkLogs(ledger: Ledger, report: Report): void {
  const key = (row: { deliveryId: string; attempt: number }): string => `${row.deliveryId} ${row.attempt}`
  const logged = new Set(ledger.logs.map(key))
  const received = Map.groupBy(ledger.receipts, key)
  report(
    'I4',
    [...received.keys()].filter((attempt) => !logged.has(attempt)).length,
    'received attempt(s) without a log row',
  )
  const answered = Map.groupBy(
    ledger.logs.filter(({ responseStatus }) => responseStatus !== null),
    key,
  )
  let invented = 0
  for (const [attempt, rows] of answered)
    invented += Math.max(0, rows.length - (received.get(attempt)?.length ?? 0))
  report('I4', invented, 'log row(s) with an answer that no endpoint gave')
  const known = new Set(ledger.deliveries.map(({ id }) => id))
  report(
    'I4',
    ledger.receipts.filter(({ deliveryId }) => !known.has(deliveryId)).length,
    'request(s) of no delivery',
  )
}

function checkHealthy(ledger: Ledger, report: Report): number | null {
  const { healthy } = ledger
  if (healthy === null) return null
  const first = new Map<string, number>()
  for (const { deliveryId, endpoint, intended, at } of ledger.receipts) {
    if (intended === null || intended < healthy.from || intended > healthy.until) continue
    if (!healthy.endpoints.includes(endpoint)) continue
    first.set(deliveryId, Math.min(first.get(deliveryId) ?? Infinity, at - intended))
  }
  const sorted = [...first.values()].toSorted((one, other) => one - other)
  const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? null
  if (p99 === null) report('I6', 1, 'span in which nothing came to the healthy endpoints')
  if (p99 !== null && p99 > healthy.p99LimitMs) {
    const limit = Math.round(healthy.p99LimitMs)
    report('I6', 1, `healthy p99 of ${Math.round(p99)} ms, above ${limit} ms`)
  }
  return p99
}
