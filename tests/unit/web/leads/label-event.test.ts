import { expect, it } from 'vitest'
import { EVENT_TYPES, timelineEventSchema } from '#core/contract/events.ts'
import { labelEvent } from '#web/leads/label-event.ts'

it('has a label for every event of this version', () => {
  for (const type of EVENT_TYPES)
    expect(labelEvent(type)).not.toMatch(/^(Lead|Delivery) (created|assigned|viewed)$/)
  expect(labelEvent('lead.created')).toBe('Received')
})

it('shows an event of a newer version by its name', () => {
  const event = {
    id: '018f0000-0000-7000-8000-000000000001',
    type: 'lead.priced',
    created_at: '2026-11-21T12:00:00.000Z',
    data: {},
  }

  expect(timelineEventSchema.parse(event)).toEqual(event)
  expect(labelEvent('lead.priced')).toBe('Lead priced')
})

it.each([
  [{ member_name: 'Ann Agent', member_user_id: 'a', by: 'b' }, 'Given to Ann Agent'],
  [{ member_name: null, member_user_id: null, by: 'b' }, 'Shared again'],
  [
    { member_name: null, member_user_id: null, by: 'b', released: true },
    'Shared again, because the person who had it no longer works on leads',
  ],
  [{ member_name: null, member_user_id: null, by: null }, 'Given to a person'],
])('says who got a lead inside its account: %j', (data, label) => {
  expect(labelEvent('lead.given', data)).toBe(label)
})
