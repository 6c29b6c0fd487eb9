import { writeValue, type GivenValue } from '#core/domain/webhooks/template/placeholder-value.ts'

const LONGEST = 28

/** Shortens a value of the fictional lead for a list. */
export function describeSample(value: GivenValue | undefined): string {
  const text = value === null || value === undefined ? 'empty' : writeValue(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}
