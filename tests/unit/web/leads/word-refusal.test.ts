import { expect, test } from 'vitest'
import { labelReturnReason } from '#core/domain/market/describe-return.ts'
import { wordRefusal } from '#web/leads/decision/word-refusal.ts'

test('a refusal because of an earlier sale names how many days a sale counts', () => {
  const windows = { duplicate_days: 45, resale_days: 1 }
  expect(wordRefusal('duplicate', windows)).toBe('The same person was sold within 45 days before')
  expect(wordRefusal('sold_to_client_before', windows)).toBe(
    'The client bought this person’s lead within 1 day before, or had this one',
  )
})

test('names no days if sales do not count', () => {
  const windows = { duplicate_days: 0, resale_days: 0 }
  const said = ['duplicate', 'sold_to_client_before'].map((reason) => wordRefusal(reason, windows))
  expect(said).toEqual([
    'The same person was sold a short time before',
    'The client bought this person’s lead before',
  ])
})

test('a return of a repeated sale names the promised number of days', () => {
  expect([60, 1, 0, null].map((days) => labelReturnReason('duplicate_from_us', days))).toEqual([
    'Duplicate from us within 60 days',
    'Duplicate from us within 1 day',
    'Duplicate from us',
    'Duplicate from us',
  ])
  expect(labelReturnReason('wrong_state', 60)).toBe('Wrong state')
})
