import type { MarketAssignment, MarketEntry, MarketRows } from '../market/read-market.ts'
import type { Figure } from '../scenario.ts'

/**
 * The market's conditions after any fault: every accepted lead is decided and sold to one client at a time,
 * and each cent agrees with the sales and returns. Returns faults in words; a market without any sale is a
 * fault too.
 * @param acked ids of leads that the API accepted for the market
 */
export function judgeMarket(acked: readonly string[], market: MarketRows, figure: Figure): string[] {
  const { assignments, leads } = market
  const purchases = entriesByReference(market, 'lead_purchase')
  const credits = entriesByReference(market, 'lead_return')
  const lates = entriesByReference(market, 'late_credit')
  const leadById = new Map(leads.map((lead) => [lead.id, lead]))
  const isUndecided = (id: string): boolean => {
    const lead = leadById.get(id)
    return lead === undefined || !lead.isDecided || lead.status === 'new'
  }
  const held = assignments.filter(({ state }) => state === 'active')
  const ended = assignments.filter(({ state }) => state !== 'active')
  const sumOf = (entries: readonly MarketEntry[] | undefined): number =>
    (entries ?? []).reduce((sum, { amount }) => sum + amount, 0)
  const creditOf = ({ returnId }: MarketAssignment): number =>
    returnId === null ? 0 : sumOf(credits.get(returnId))
  const lateOf = ({ id }: MarketAssignment): number => sumOf(lates.get(id))
  const known = new Set(assignments.map(({ id }) => id))
  const charged = assignments.filter(({ state }) => state === 'active').map(({ leadId }) => leadId)

  figure('sold', String(assignments.length))
  figure('taken back', String(ended.length))
  figure('sold again', String(ended.filter(({ leadId }) => charged.includes(leadId)).length))
  const counts: [number, string][] = [
    [acked.filter(isUndecided).length, 'acknowledged lead(s) that nobody decided'],
    [held.length - new Set(held.map(({ leadId }) => leadId)).size, 'lead(s) that two clients have'],
    [twice(assignments), 'lead(s) that one client got twice'],
    [[...purchases.values()].filter((entries) => entries.length > 1).length, 'lead(s) charged twice'],
    [[...credits.values()].filter((entries) => entries.length > 1).length, 'lead(s) credited twice'],
    [[...lates.values()].filter((entries) => entries.length > 1).length, 'late lead(s) credited twice'],
    [
      assignments.filter(({ id, price }) => sumOf(purchases.get(id)) !== -price).length,
      'lead(s) not charged',
    ],
    [[...purchases.keys()].filter((id) => !known.has(id)).length, 'charge(s) for nothing'],
    [held.filter(({ isDelivered }) => !isDelivered).length, 'lead(s) charged and never delivered'],
    [
      ended.filter((one) => creditOf(one) + lateOf(one) !== one.price).length,
      'lead(s) taken back and not credited',
    ],
    [held.filter((one) => creditOf(one) !== 0).length, 'lead(s) credited and not taken back'],
    [countBroken(market), 'break(s) in the ledger’s chain'],
    [countWrong(market), 'balance(s) that are not the sum of their ledger'],
  ]
  const faults = counts.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : []))
  return assignments.length === 0 ? [...faults, 'nothing was sold: the scenario proved nothing'] : faults
}

function entriesByReference({ entries }: MarketRows, type: string): Map<string, MarketEntry[]> {
  return Map.groupBy(
    entries.filter((entry) => entry.type === type),
    ({ reference }) => reference ?? '',
  )
}

function twice(assignments: readonly MarketAssignment[]): number {
  return assignments.length - new Set(assignments.map(({ leadId, clientId }) => `${leadId} ${clientId}`)).size
}

function countBroken({ entries }: MarketRows): number {
  const last = new Map<string, number>()
  let broken = 0
  for (const { clientId, amount, balanceAfter } of entries) {
    if (balanceAfter !== (last.get(clientId) ?? 0) + amount || balanceAfter < 0) broken += 1
    last.set(clientId, balanceAfter)
  }
  return broken
}

function countWrong({ entries, balances }: MarketRows): number {
  const sums = new Map<string, number>()
  for (const { clientId, amount } of entries) sums.set(clientId, (sums.get(clientId) ?? 0) + amount)
  return balances.filter(({ clientId, balance }) => balance !== (sums.get(clientId) ?? 0)).length
}
