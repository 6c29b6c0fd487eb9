import { parseAsWritten } from '../parse-as-written.ts'

/**
 * PostgreSQL keeps all digits of a number. A double would lose zeros after the decimal point and digits beyond the
 * fifteenth.
 */
const MAY_LOSE = /\.\d*0|\d{16}/

/**
 * Reads a lead's `custom` as PostgreSQL writes it, with the digits of its numbers as they were sent (docs/contract.md
 * §4).
 * @throws SyntaxError if it is not JSON
 */
export function readCustom(json: string): Record<string, unknown> {
  const value = JSON.parse(json) as Record<string, unknown>
  return MAY_LOSE.test(json) ? (parseAsWritten(json) as Record<string, unknown>) : value
}
