/** The path to which outcomes are posted. The token may be in the body instead (core/contract/leads/lead-outcome.ts). */
export const OUTCOMES_PATH = '/api/v1/outcomes'

/**
 * The address to which a CRM posts the outcome of a lead. The token is in the query, which no log of the server or of a
 * proxy keeps.
 */
export function outcomeUrl(apiUrl: string, token: string): string {
  return `${apiUrl}${OUTCOMES_PATH}?token=${token}`
}
