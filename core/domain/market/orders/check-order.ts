import type { OrderTerms } from '#core/contract/market/order.ts'
import type { FieldError } from '#core/contract/problem.ts'
import { STATE_NAMES, UNSOLD_STATES } from '../../leads/us-states.ts'

/** Finds contradictions between the fields of an order, each of which is valid alone. */
export function findOrderFaults(
  order: Pick<OrderTerms, 'age_min' | 'age_max' | 'starts_at' | 'ends_at' | 'near_zip' | 'near_miles'>,
): FieldError[] {
  const { age_min, age_max, starts_at, ends_at, near_zip, near_miles } = order
  return [
    ...(age_min !== null && age_max !== null && age_min > age_max
      ? [{ path: 'age_max', message: 'Must not be below the youngest age' }]
      : []),
    ...(starts_at !== null && ends_at !== null && starts_at >= ends_at
      ? [{ path: 'ends_at', message: 'Must be after the start' }]
      : []),
    ...(near_zip !== null && near_miles === null
      ? [{ path: 'near_miles', message: 'Say how many miles around the ZIP code' }]
      : []),
    ...(near_zip === null && near_miles !== null
      ? [{ path: 'near_zip', message: 'Say around which ZIP code' }]
      : []),
  ]
}

/**
 * Finds states that do not exist, whose leads are not sold, or that the client's licence does not name.
 * @param licensed an empty list means all
 * @param kept states that the order names already; they may stay, although their leads are not sold any more
 */
export function findStateFaults(
  states: readonly string[],
  licensed: readonly string[],
  kept: readonly string[] = [],
): FieldError[] {
  return states.flatMap((code, index) => {
    const path = `states.${index}`
    if (STATE_NAMES[code] === undefined) return [{ path, message: `${code} is no US state or territory` }]
    if (!kept.includes(code)) {
      const message = refuseUnsold(code)
      if (message !== undefined) return [{ path, message }]
    }
    if (licensed.length > 0 && !licensed.includes(code))
      return [{ path, message: `Your account has no licence for ${STATE_NAMES[code]}` }]
    return []
  })
}

/** The reason why nothing can be ordered or priced for this state; undefined if it can. */
export function refuseUnsold(code: string): string | undefined {
  return UNSOLD_STATES.includes(code)
    ? `Leads from ${STATE_NAMES[code] ?? code} (${code}) are not sold`
    : undefined
}
