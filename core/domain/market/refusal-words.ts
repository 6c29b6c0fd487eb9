/** Reasons why an order, or every order, was refused a lead, in words. */
export const REFUSAL_WORDS: Readonly<Record<string, string>> = {
  not_first: 'Another order came first',
  account_not_active: 'The client’s account is not active',
  order_paused: 'The order is paused',
  not_started: 'The order has not begun',
  ended: 'The order has ended',
  off_schedule: 'Outside the order’s hours',
  state: 'The order does not take this state',
  state_not_sold: 'Leads from this state are not sold',
  not_licensed: 'The client has no licence for this state',
  outside_area: 'Outside the ZIP area of the order',
  age: 'Outside the ages that the order takes',
  age_unknown: 'The order wants the age to be known',
  source_excluded: 'The order excludes this source',
  too_old: 'The lead was older than the order accepts',
  daily_cap: 'The daily cap was reached',
  weekly_cap: 'The weekly cap was reached',
  monthly_cap: 'The monthly cap was reached',
  total_cap: 'The total cap was reached',
  daily_budget: 'The daily budget was spent',
  monthly_budget: 'The monthly budget was spent',
  funds: 'The balance was below the price',
  sold_to_client_before: 'The client bought this person’s lead before',
  kept_from_client: 'The person told the client not to contact them',
  source_stopped: 'Its source was stopped',
  no_consent: 'The source says that the person did not consent',
  suppressed: 'The person is on the suppression list',
  duplicate: 'The same person was sold a short time before',
  delivery_failed: 'It could not be delivered to the client who bought it',
  no_matching_order: 'No order asks for such a lead',
}

/** Words of a reason; a reason of a newer server by its name. */
export function wordRefusalBriefly(reason: string): string {
  if (Object.hasOwn(REFUSAL_WORDS, reason)) return REFUSAL_WORDS[reason] ?? reason
  return reason.charAt(0).toUpperCase() + reason.slice(1).replaceAll('_', ' ')
}
