/** When a warning about a failing endpoint is sent, and when its configuration is switched off. */
export interface EndpointRule {
  /** failed attempts in a row after which its owner and the administrators are warned */
  warnAfterFailures: number
  /** hours between two warning mails, because an endpoint may recover and fail again all day */
  warnAgainHours: number
  /** days without one success after which it is switched off, if `switchOffFailedDays` allows it */
  switchOffAfterDays: number
  /**
   * It is switched off only if attempts failed on this many of those days, and as many in a row as for a warning. So it
   * stays on if it failed once and then had no lead to take, or had no lead for a day in between. It also stays on if
   * it answers but rejects every lead in the body of its answer.
   */
  switchOffFailedDays: number
}

/** Svix switches off after 5 days; Stripe, Dub and Shopify warn first. */
export const ENDPOINT_RULE: EndpointRule = {
  warnAfterFailures: 20,
  warnAgainHours: 6,
  switchOffAfterDays: 5,
  switchOffFailedDays: 4,
}
