import type { EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'

/**
 * Failed attempts in a row after which an endpoint is shown as failing, whatever the outcome of their deliveries. A
 * single lead makes two of them within seconds; its third would come minutes later (docs/product.md §9).
 */
export const NAMED_AFTER_FAILURES = 2

/** The facts that make up the status of an endpoint. */
export interface EndpointFacts {
  is_active: boolean
  /** whether the system switched it off; null if a person did */
  was_switched_off: boolean
  failures_in_row: number
  breaker: 'open' | 'closed'
  /** number of deliveries that failed for good in this row of failures */
  lost_in_row: number
  has_attempts: boolean
}

/**
 * The one status of an endpoint, on every screen (docs/product.md §2). A single failed attempt does not count, because
 * its retry usually succeeds. `failing` means that the endpoint failed again and again, does not answer, or has cost a
 * delivery. Mails wait longer: core/domain/webhooks/endpoint-rule.ts.
 */
export function endpointStatus(facts: EndpointFacts): EndpointHealth['standing'] {
  if (!facts.is_active) return facts.was_switched_off ? 'switched_off' : 'inactive'
  const isFailing = facts.failures_in_row >= NAMED_AFTER_FAILURES || facts.lost_in_row > 0
  if (facts.breaker === 'open' || (facts.failures_in_row > 0 && isFailing)) return 'failing'
  return facts.has_attempts ? 'healthy' : 'unused'
}

/** Whether a person has to look at it. */
export function isInTrouble({ standing }: Pick<EndpointHealth, 'standing'>): boolean {
  return standing === 'failing' || standing === 'switched_off'
}

/** The endpoints that need a person, switched-off ones first. */
export function listTroubled<Health extends Pick<EndpointHealth, 'standing'>>(
  all: readonly Health[],
): Health[] {
  return all
    .filter(isInTrouble)
    .toSorted((a, b) => Number(b.standing === 'switched_off') - Number(a.standing === 'switched_off'))
}
