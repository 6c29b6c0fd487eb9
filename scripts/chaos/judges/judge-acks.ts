import type { Ack } from '../ledger.ts'
import type { Figure } from '../scenario.ts'

/**
 * Conclusions of scenarios from the API's answers. Each returns faults in words; never meeting the injected
 * fault is a fault too.
 */

/** S2: some request met the dead API and was repeated. */
export function judgeRepeats(acks: readonly Ack[], figure: Figure): string[] {
  const repeated = acks.filter(({ tries }) => tries > 1).length
  figure('leads posted again', String(repeated))
  return repeated === 0 ? ['no request met the dead API: the scenario proved nothing'] : []
}

/** S4: the duration until the API's answer, from the lead's intended moment. */
export function judgeAnswers(acks: readonly Ack[], limitMs: number, figure: Figure): string[] {
  const waits = acks.map(({ ackedAt, intended }) => ackedAt - intended).toSorted((one, other) => one - other)
  const p99 = waits[Math.ceil(waits.length * 0.99) - 1]
  if (p99 === undefined) return ['the API acknowledged nothing: the scenario proved nothing']
  figure("API's answer p99", `${Math.round(p99)} ms`)
  return p99 > limitMs ? [`the API's answer took ${Math.round(p99)} ms at p99`] : []
}

/** S21: as many deliveries arrived as were planted. */
export function judgeArrivals(receipts: readonly { deliveryId: string }[], wanted: number): string[] {
  const seen = new Set(receipts.map(({ deliveryId }) => deliveryId)).size
  return seen === wanted ? [] : [`${seen} of ${wanted} deliveries arrived`]
}
