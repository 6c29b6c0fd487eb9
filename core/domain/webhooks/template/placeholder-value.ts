import type { WrittenNumber } from '#core/contract/written-number.ts'

/** What a format reads and makes. */
export type PlaceholderValue = string | number | boolean | null
/** What a placeholder stands for; a number of one's own (`custom.<key>`) may have digits that go out as they are. */
export type GivenValue = PlaceholderValue | WrittenNumber
/** By name; `custom.<key>` entries are keyed by that whole name. */
export type PlaceholderValues = Readonly<Record<string, GivenValue | undefined>>

/** A value within text; nothing where there is none. */
export function writeValue(value: GivenValue): string {
  return typeof value === 'object' && value !== null ? value.rawJSON : String(value ?? '')
}
