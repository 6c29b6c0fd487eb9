import { expect, test } from 'vitest'
import { leadDetailSchema } from '#core/contract/leads/lead-detail.ts'
import type { LeadStatus } from '#core/contract/leads/lead.ts'
import { ERASED_LEAD_COLUMNS } from '#core/data/leads/erase-lead.ts'
import { hideReturnedLead } from '#core/data/leads/hide-returned-lead.ts'

const shown = Object.keys(leadDetailSchema.shape)
const whole = {
  ...Object.fromEntries(shown.map((column) => [column, 'said'])),
  status: 'returned' as LeadStatus,
}

test('a client sees no data of a returned lead that an erasure would remove, except its state', () => {
  const hidden = Object.entries<unknown>(hideReturnedLead({ role: 'client' }, whole))
  const said = hidden.filter(([, value]) => value === 'said').map(([column]) => column)

  expect(said.filter((column) => ERASED_LEAD_COLUMNS.includes(column))).toEqual(['state'])
  expect(Object.fromEntries(hidden)).toMatchObject({ name: 'Returned: do not contact', status: 'returned' })
})

test('an administrator sees a returned lead unchanged, and a client sees every other lead unchanged', () => {
  expect(hideReturnedLead({ role: 'admin' }, whole)).toBe(whole)
  const assigned = { ...whole, status: 'assigned' as const }
  expect(hideReturnedLead({ role: 'client' }, assigned)).toBe(assigned)
})
