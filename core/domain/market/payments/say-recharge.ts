/**
 * The text to which the client agrees, word for word: the screen shows it, and it is stored with the person and the
 * time. Amounts are written for people.
 */
export function writeRechargeTerms(terms: {
  threshold: string
  amount: string
  monthlyMax: string
  method: string
}): string {
  const { threshold, amount, monthlyMax, method } = terms
  return `I agree that, whenever my balance is below ${threshold} or no longer pays for a lead that I have ordered, ${amount} are charged to my ${method} and added to it, at most ${monthlyMax} in a calendar month. I can switch this off at any time.`
}

const DECLINES = new Map([
  ['authentication_required', 'The bank asks for a confirmation that only you can give'],
  ['card_declined', 'The card was declined'],
  ['do_not_honor', 'The card was declined'],
  ['expired_card', 'The card has expired'],
  ['generic_decline', 'The card was declined'],
  ['insufficient_funds', 'The card has insufficient funds'],
  ['lost_card', 'The card was declined'],
  ['resource_missing', 'The saved card is not there any more'],
  ['stolen_card', 'The card was declined'],
])

/** The text for a charge whose outcome the provider did not report before the requests ended. */
export const UNKNOWN_OUTCOME = 'The provider does not say whether this was charged. An administrator decides.'

/**
 * Tells a client why a charge failed.
 * @param code the provider's code
 */
export function sayDecline(code: string | null): string {
  return DECLINES.get(code ?? '') ?? 'The payment did not go through'
}
