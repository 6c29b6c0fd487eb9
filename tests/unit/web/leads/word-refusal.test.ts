import { expect, test } from 'vitest'
import { labelReturnReason } from '#core/domain/market/describe-return.ts'
import { wordRefusal } from '#web/leads/decision/word-refusal.ts'

test('a refusal of a person who was sold before says for how many days that counts here', () => {
  const windows = { duplicate_days: 45, resale_days: 1 }
  expect(wordRefusal('duplicate', windows)).toBe('The same person was sold within 45 days before')
  expect(wordRefusal('sold_to_client_before', windows)).toBe(
    'The client bought this person’s lead within 1 day before, or had this one',
  )
})

test('names no days where a sale counts for none', () => {
  const windows = { duplicate_days: 0, resale_days: 0 }
  const said = ['duplicate', 'sold_to_client_before'].map((reason) => wordRefusal(reason, windows))
  expect(said).toEqual([
    'The same person was sold a short time before',
    'The client bought this person’s lead before',
  ])
})

test('a return of what was sold twice says for how many days that is promised here', () => {
  expect([60, 1, 0, null].map((days) => labelReturnReason('duplicate_from_us', days))).toEqual([
    'Duplicate from us within 60 days',
    'Duplicate from us within 1 day',
    'Duplicate from us',
    'Duplicate from us',
  ])
  expect(labelReturnReason('wrong_state', 60)).toBe('Wrong state')
})
