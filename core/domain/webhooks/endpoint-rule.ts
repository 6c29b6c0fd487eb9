/** When an endpoint that keeps failing is spoken of, and when its configuration is switched off. */
export interface EndpointRule {
  /** failed attempts in a row after which its owner and the administrators are warned */
  warnAfterFailures: number
  /** an endpoint that recovers and fails again all day is no news each time: hours from one mail of warning to the next */
  warnAgainHours: number
  /** without one success for so many days it is switched off, … */
  switchOffAfterDays: number
  /**
   * … if attempts failed on so many of them, and as many in a row as warn. An endpoint that failed once and then had no lead
   * to take is left alone; so is one that had none for a day in between, and one that
   * answers but refuses every lead by the body of its answer.
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
