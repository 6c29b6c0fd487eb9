/** The leads of all clients, and what is stored about a person, for administrators. */
export const STORY_WORDS: Readonly<Record<string, string>> = {
  'admin-leads/refused': 'Orders that did not get it, counted by reason',
  'admin-leads/returns':
    'Clients that had it before and returned it, or their requests to return it, oldest first',
  'admin-leads/source': 'The source that posted it; null if none did',
  'admin-leads/holder': 'The client that has it, or gave it back; null if nobody has it',
  'admin-leads/has_more': 'Whether there are more leads than were counted',
  'admin-leads/revenue': 'The prices of the leads that clients have, in dollars',
  'admin-leads/unsold': 'Leads that nobody bought yet or until their time was over',
  receipt: 'How it came',
  'receipt.source': 'The source that posted it; null if none did',
  'receipt.owner': 'The client that its source names; null for a lead of the market',
  'receipt.external_id': 'The source’s own id of the lead',
  'receipt.idempotency_key': 'The `Idempotency-Key` under which it was posted',
  'receipt.consent_revoked_at': 'When the person took the consent back; null if that is not known',
  'receipt.reject_reason': 'The reason why it is rejected; null if it is not',
  'receipt.cost': 'What the source asks for it, in dollars; null if it does not say',
  holders: 'Everybody who ever had it, oldest first',
  'holders.first_viewed_at': 'When the client first opened it; null if it did not',
  money: 'Entries of the ledger that this lead explains, oldest first',
}
