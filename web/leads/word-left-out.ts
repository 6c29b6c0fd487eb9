import type { LeftOut } from '#core/contract/events.ts'

/**
 * Names the fields of the posted lead that were not kept. An entry without a name is the lead itself: it had
 * too many fields.
 */
export function wordLeftOut({ left_out: names, left_out_more: more }: LeftOut): string {
  const told = names.map((name) => (name === '' ? 'all beyond the first 1,000 fields' : `“${name}”`))
  return `without ${[...told, ...(more === 0 ? [] : [`${more} more`])].join(', ')}`
}
