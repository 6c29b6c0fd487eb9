import { judgeMet } from '#scripts/chaos/judges/judge-fault.ts'
import { judgeMarket } from '#scripts/chaos/judges/judge-market.ts'
import type { MarketAssignment, MarketEntry, MarketRows } from '#scripts/chaos/market/read-market.ts'
import { mute, type Checks } from './given.ts'

const assignment = (changes: Partial<MarketAssignment>): MarketAssignment => ({
  id: 'a2',
  leadId: 'lead',
  clientId: 'second',
  state: 'active',
  price: 2500,
  returnId: null,
  isDelivered: true,
  ...changes,
})
const entry = (changes: Partial<MarketEntry>): MarketEntry => ({
  clientId: 'second',
  type: 'lead_purchase',
  amount: -2500,
  balanceAfter: 7500,
  reference: 'a2',
  ...changes,
})
const first = { clientId: 'first' }

/** A lead that could not be given to the first client and that the second has. */
const SOUND: MarketRows = {
  leads: [{ id: 'lead', status: 'assigned', isDecided: true }],
  assignments: [
    assignment({ ...first, id: 'a1', state: 'revoked', returnId: 'r1', isDelivered: false }),
    assignment({}),
  ],
  entries: [
    entry({ ...first, type: 'top_up', amount: 10_000, balanceAfter: 10_000, reference: null }),
    entry({ ...first, reference: 'a1' }),
    entry({ ...first, type: 'lead_return', amount: 2500, balanceAfter: 10_000, reference: 'r1' }),
    entry({ type: 'top_up', amount: 10_000, balanceAfter: 10_000, reference: null }),
    entry({}),
  ],
  balances: [
    { clientId: 'first', balance: 10_000 },
    { clientId: 'second', balance: 7500 },
  ],
}

const judge = (change: (rows: MarketRows) => void, acked = ['lead']): string[] => {
  const rows = structuredClone(SOUND)
  change(rows)
  return judgeMarket(acked, rows, mute)
}
const REFUSED = {
  'a lead that nobody decided': judge(
    ({ leads }) => leads.push({ id: 'new', status: 'new', isDecided: false }),
    ['new'],
  ),
  'an acknowledged lead that is not there': judge(() => undefined, ['lead', 'gone']),
  'a lead that two have': judge(({ assignments }) =>
    assignments.push(assignment({ id: 'a3', clientId: 'third' })),
  ),
  'a lead that one got again': judge(({ assignments }) =>
    assignments.push(assignment({ ...first, id: 'a3' })),
  ),
  'a lead charged twice': judge(({ entries, balances }) => {
    entries.push(entry({ balanceAfter: 5000 }))
    balances[1] = { clientId: 'second', balance: 5000 }
  }),
  'a charge for nothing': judge(({ entries, balances }) => {
    entries.push(entry({ balanceAfter: 5000, reference: 'nothing' }))
    balances[1] = { clientId: 'second', balance: 5000 }
  }),
  'a lead that was not charged': judge(({ entries, balances }) => {
    entries.pop()
    balances[1] = { clientId: 'second', balance: 10_000 }
  }),
  'a lead charged and never delivered': judge(({ assignments }) => {
    assignments[1] = assignment({ isDelivered: false })
  }),
  'a lead taken back and not credited': judge(({ assignments }) => {
    assignments[0] = assignment({ ...first, id: 'a1', state: 'returned' })
  }),
  'a lead credited and not taken back': judge(({ assignments }) => {
    assignments[0] = assignment({ ...first, id: 'a1', leadId: 'other', returnId: 'r1' })
  }),
  'a break in the chain': judge(({ entries }) => {
    entries[1] = entry({ ...first, reference: 'a1', balanceAfter: 7400 })
  }),
  'a balance that is not the sum': judge(({ balances }) => {
    balances[0] = { clientId: 'first', balance: 9999 }
  }),
  'a market in which nothing was sold': judge((rows) => {
    rows.assignments = []
    rows.entries = []
    rows.balances = []
  }),
}

export const MARKET: Checks = {
  S29: {
    sound: [...judge(() => undefined), ...judgeMet({ 'deaths at before-assign': 1 }, mute)],
    refused: { ...REFUSED, 'a failpoint that nobody met': judgeMet({ 'deaths at before-assign': 0 }, mute) },
  },
  S30: {
    sound: judge(() => undefined),
    refused: { ...REFUSED, 'no lead that was posted again': judgeMet({ 'leads posted again': 0 }, mute) },
  },
}
