import type { LeadDecision } from '#core/contract/market/decision.ts'
import { sayDays } from '#core/domain/market/say-when.ts'
import { REFUSAL_WORDS, wordRefusalBriefly } from '#core/domain/market/refusal-words.ts'

/** @param windows number of days for which a sale counts */
export function wordRefusal(reason: string, windows: LeadDecision['windows']) {
  const { duplicate_days: duplicate, resale_days: resale } = windows
  if (reason === 'duplicate' && duplicate > 0)
    return `The same person was sold within ${sayDays(duplicate)} before`
  if (reason === 'sold_to_client_before' && resale > 0)
    return `The client bought this person’s lead within ${sayDays(resale)} before, or had this one`
  return wordRefusalBriefly(reason)
}

/** All reasons with their words, for a filter. */
export function listRefusals() {
  return Object.entries(REFUSAL_WORDS).map(([value, label]) => ({ value, label }))
}
