import { expect, test } from 'vitest'
import { leadDetailSchema } from '#core/contract/leads/lead-detail.ts'
import { DETAIL_FIELDS } from '#core/contract/leads/lead-fields.ts'
import { shownLeadSchema } from '#web/leads/shown-lead.ts'
import { lead } from './given-lead.ts'

const blank = Object.fromEntries(Object.keys(leadDetailSchema.shape).map((name) => [name, null]))
const whole = leadDetailSchema.parse({
  ...blank,
  ...lead,
  custom: {},
  outcomes: [],
  late: [],
  timeline: [],
  deliveries: [],
})

test.each(DETAIL_FIELDS)('reads %s as null if the server leaves it out', (name) => {
  const { [name]: _left, ...known } = whole

  expect(shownLeadSchema.parse(known)).toEqual({ ...whole, [name]: null })
})
