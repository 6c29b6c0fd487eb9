import type { WrittenNumber } from '#core/contract/written-number.ts'

/** The value that a format reads and returns. */
export type PlaceholderValue = string | number | boolean | null
/** The value of a placeholder; a custom number (`custom.<key>`) may carry its digits as written. */
export type GivenValue = PlaceholderValue | WrittenNumber
/** Values by name; `custom.<key>` entries are keyed by that whole name. */
export type PlaceholderValues = Readonly<Record<string, GivenValue | undefined>>

/** A value within text; empty if there is none. */
export function writeValue(value: GivenValue): string {
  return typeof value === 'object' && value !== null ? value.rawJSON : String(value ?? '')
}
