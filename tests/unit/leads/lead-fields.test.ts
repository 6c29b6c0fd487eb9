import { expect, test } from 'vitest'
import { LEAD_FIELDS, LEAD_FIELD_NAMES } from '#core/contract/leads/lead-fields.ts'
import { leadDetailSchema } from '#core/contract/leads/lead-detail.ts'
import { leadSummarySchema } from '#core/contract/leads/lead.ts'
import { EXAMPLE_LEAD } from '#core/contract/leads/posting-notes.ts'
import { readLead } from '#core/use-cases/ingest/read-lead.ts'

test.each(LEAD_FIELD_NAMES)('the field %s is shown where the table of fields says', (name) => {
  const row = LEAD_FIELDS[name]

  expect(name in leadSummarySchema.shape).toBe('isListed' in row)
  expect(name in leadDetailSchema.shape).toBe(!('isInternal' in row))
})

test('leads with equal fields give equal text, whatever order the fields are sent in', () => {
  const now = new Date('2026-01-31T12:00:00Z')
  const turned = Object.fromEntries(Object.entries(EXAMPLE_LEAD).toReversed())

  expect(JSON.stringify(readLead(turned, now))).toBe(JSON.stringify(readLead(EXAMPLE_LEAD, now)))
})
