/** What the client agrees to, word for word: the screen shows it, and it is kept with who agreed and when. Amounts as they are read. */
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

/** The words for a charge whose outcome the provider has not told for as long as it is asked. */
export const UNKNOWN_OUTCOME = 'The provider does not say whether this was charged. An administrator decides.'

/** Why a charge failed, to its client. @param code the provider's word */
export function sayDecline(code: string | null): string {
  return DECLINES.get(code ?? '') ?? 'The payment did not go through'
}
