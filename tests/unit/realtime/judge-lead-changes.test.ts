import { expect, test } from 'vitest'
import {
  judgeLeadChanges,
  type LeadEvent,
  type LeadLoss,
  type LeadView,
} from '#core/domain/realtime/judge-lead-changes.ts'

const of = { lead_id: 'lead', account_id: 'buyer', member_user_id: null }
const event = (type: string): LeadEvent => ({ ...of, type, written_at: '2026-11-30T00:00:00Z' })
const view: LeadView = { ...of, is_owner: false }
const loss: LeadLoss = of
const judge = (events: string[], losses: LeadLoss[]) =>
  judgeLeadChanges(events.map(event), [view], losses).map(({ type }) => type)

test('a lead that moves between two orders of its buyer changes, and is not new', () => {
  expect(judge(['lead.returned', 'lead.assigned'], [loss])).toEqual(['UPDATE'])
})

test('a lead that its buyer gets, loses and gets again at once is new', () => {
  expect(judge(['lead.assigned', 'lead.returned', 'lead.assigned'], [loss])).toEqual(['INSERT'])
  expect(judge(['lead.assigned'], [])).toEqual(['INSERT'])
})
