import type { AccountNotices } from '#core/contract/market/client-account.ts'

/** The name of each kind of mail that a client may choose. */
export const NOTICE_LABELS: Readonly<Record<keyof AccountNotices, string>> = {
  new_leads: 'New leads',
  lead_contacts: 'With name, phone and email',
  caps: 'Cap reached',
  weekly_digest: 'Weekly digest',
  low_balance: 'Low balance',
  out_of_funds: 'Out of funds',
  payments: 'Payments',
  returns: 'Returns',
  exports: 'Exports',
}
