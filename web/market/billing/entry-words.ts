import type { EntryType } from '#core/contract/market/money/ledger.ts'

/** Names of the types of ledger entries. */
export const ENTRY_WORDS: Readonly<Record<EntryType, string>> = {
  top_up: 'Funds added',
  auto_recharge: 'Auto-recharge',
  promo_credit: 'Promotional credit',
  manual_credit: 'Credit',
  manual_debit: 'Debit',
  lead_purchase: 'Lead',
  lead_return: 'Lead returned',
  late_credit: 'Late lead credited',
  refund_out: 'Paid back',
  chargeback: 'Chargeback',
  chargeback_reversal: 'Chargeback reversed',
  correction: 'Correction',
}
