import type { AccountNotices } from './client-account.ts'
import type { ClientNotice } from './client-notice.ts'

/** The mails that a client may choose, with the choice of each; all others are always sent. */
const CHOICES: Partial<Record<ClientNotice['template'], keyof AccountNotices>> = {
  low_balance: 'low_balance',
  out_of_funds: 'out_of_funds',
  payment_received: 'payments',
  payment_failed: 'payments',
  payment_reversed: 'payments',
  return_decided: 'returns',
  lead_taken_back: 'returns',
  leads_recalled: 'returns',
  new_leads: 'new_leads',
  cap_reached: 'caps',
  weekly_digest: 'weekly_digest',
  export_ready: 'exports',
}

/** The choice that a mail belongs to; undefined for a mail that is always sent, and for mails of other areas. */
export function choiceOf(template: string): keyof AccountNotices | undefined {
  return (CHOICES as Readonly<Record<string, keyof AccountNotices | undefined>>)[template]
}
