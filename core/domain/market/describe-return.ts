import type { LeadReturn, ReturnReason, SystemReason } from '#core/contract/market/lead-return.ts'
import { sayDays } from './say-when.ts'

const UNDELIVERED = 'delivery_failed' satisfies SystemReason
const DUPLICATE: ReturnReason = 'duplicate_from_us'

const REASONS: Readonly<Record<ReturnReason | typeof UNDELIVERED, string>> = {
  disconnected_number: 'Number is disconnected',
  wrong_number: 'Number belongs to somebody else',
  duplicate_from_us: 'Duplicate from us',
  wrong_state: 'Wrong state',
  outside_order_filters: "Outside the order's filters",
  did_not_request: 'Did not request contact',
  false_information: 'False information',
  language: 'Speaks another language than stated',
  test_or_agent: 'A test, or an agent',
  missing_required_field: 'A required field is missing',
  delivery_failed: 'Delivery failed',
}

const reasons = new Map<string, string>(Object.entries(REASONS))

/**
 * Puts a reason into words; a reason that only a newer version knows, by its name.
 * @param duplicateDays number of days in which a person is sold once, if the words should name it
 */
export function labelReturnReason(reason: string, duplicateDays: number | null = null): string {
  if (reason === DUPLICATE && duplicateDays !== null && duplicateDays > 0)
    return `${REASONS[DUPLICATE]} within ${sayDays(duplicateDays)}`
  return reasons.get(reason) ?? reason.replaceAll('_', ' ')
}

/**
 * Describes the status of a return request to its client.
 * @param amount of the credit, written out: `$25.00`; null if nothing was left after a late credit
 */
export function describeReturn(
  { status, reason }: Pick<LeadReturn, 'status' | 'reason'>,
  amount: string | null,
): string {
  const credit = amount === null ? 'Nothing was left to pay back.' : `${amount} added to your balance.`
  switch (status) {
    case 'approved':
      // These are Leadwire's own reasons; the others are the client's.
      if (/^(delivery_failed|taken_back|recalled)$/.test(reason))
        return `Returned: ${labelReturnReason(reason).toLowerCase()}. ${credit}`
      return `Return approved. ${credit}`
    case 'denied':
      return 'Return denied. The lead stays yours.'
    case 'withdrawn':
      return 'Return withdrawn. The lead stays yours.'
    case 'pending':
      return 'Return requested. It is reviewed within 2 business days.'
  }
}
