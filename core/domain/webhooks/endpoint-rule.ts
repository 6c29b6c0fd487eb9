/** When a warning about a failing endpoint is sent, and when its configuration is switched off. */
export interface EndpointRule {
  /** failed attempts in a row after which its owner and the administrators are warned */
  warnAfterFailures: number
  /**
   * hours from one warning mail to the next, because an endpoint that recovers and fails again all day is no news each
   * time
   */
  warnAgainHours: number
  /** after so many days without one success it is switched off, … */
  switchOffAfterDays: number
  /**
   * … if attempts failed on so many of them, and as many in a row as for a warning. It is left alone if it failed once
   * and then had no lead to take, if it had no lead for a day in between, and if it answers but rejects every lead in
   * the body of its answer.
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
