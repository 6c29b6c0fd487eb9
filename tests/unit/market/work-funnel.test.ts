import { expect, test } from 'vitest'
import { DISPOSITIONS } from '#core/contract/leads/lead.ts'
import { countFunnel, listBeyond } from '#core/domain/market/work-funnel.ts'

test('a lead counts for each step that it has passed, and a person who was not reached counts as attempted', () => {
  const each = DISPOSITIONS.map((disposition) => ({ disposition, leads: 1 }))
  expect(countFunnel(each)).toEqual([
    { step: 'attempted', leads: DISPOSITIONS.length - 1 },
    { step: 'contacted', leads: 6 },
    { step: 'appointment', leads: 3 },
    { step: 'quoted', leads: 2 },
    { step: 'sold', leads: 1 },
  ])
  expect(listBeyond('contacted').toSorted()).toEqual([
    'appointment',
    'contacted',
    'follow_up',
    'not_interested',
    'quoted',
    'sold',
  ])
  expect(countFunnel([{ disposition: 'of a later version', leads: 5 }])[0]).toEqual({
    step: 'attempted',
    leads: 0,
  })
})
