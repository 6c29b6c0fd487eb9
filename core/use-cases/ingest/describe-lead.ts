import type { ImportMapping } from '#core/contract/imports/lead-import.ts'
import type { LeadRow } from '#core/data/leads/receive-leads.ts'

/** Lists the fields that a lead would have, normalised, as text, with the name that was made of its parts. */
export function describeLead(lead: LeadRow, { mapping, constants }: ImportMapping): Record<string, string> {
  const given = new Set(['name', ...mapping, ...Object.keys(constants)])
  const values = Object.entries(lead).flatMap(([field, value]): [string, unknown][] =>
    field === 'custom' || field === 'utm' ? flatten(field, value) : given.has(field) ? [[field, value]] : [],
  )
  return Object.fromEntries(
    values.flatMap(([field, value]) => (isSaid(value) ? [[field, String(value)]] : [])),
  )
}

function isSaid(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) && value !== ''
}

function flatten(field: 'custom' | 'utm', members: unknown): [string, unknown][] {
  const between = field === 'custom' ? '.' : '_'
  return Object.entries(members ?? {}).map(([key, value]) => [`${field}${between}${key}`, value])
}
