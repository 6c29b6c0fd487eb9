import { expect, test } from 'vitest'
import { NEED_KINDS, readNeedsSchema } from '#core/contract/operations/needs.ts'
import { countByPlace, needPath, sayItem, sayNeed, wordNeed } from '#web/operations/needs/need-words.ts'
import { sayChange } from '#web/format/say-change.ts'

const group = (kind: string, count: number) => ({ kind, count, more: kind === 'message', items: [] })
const item = { id: 'x', name: 'Sunrise Agency', detail: null, amount: null, leads: null, at: null }

test('what waits is said as a sentence, with a plus sign where counting stopped', () => {
  expect(sayNeed({ kind: 'approval', count: 1, more: false })).toBe('1 client waits for approval')
  expect(sayNeed({ kind: 'endpoint', count: 1000, more: true })).toBe('1,000+ endpoints fail')
  expect(sayNeed({ kind: 'late_credit', count: 2, more: false })).toBe(
    '2 late credits wait for the daily limit',
  )
})

test('each kind of work leads to the tab and filter that list it', () => {
  expect(needPath('adjustment')).toBe('/admin/money?tab=adjustments')
  expect(needPath('approval')).toBe('/admin/clients?status=onboarding')
  expect(needPath('unsold')).toBe('/admin/leads?outcome=no_buyer')
  expect(needPath('return')).toBe('/admin/returns')
  expect(needPath('late_credit')).toBe('/admin/settings')
})

test('an entry says its reason in words', () => {
  expect(sayItem('return', { ...item, detail: 'wrong_number' }).detail).toBe('Wrong number')
  expect(sayItem('late_lead', { ...item, detail: 'clock_jumped' }).detail).toBe('Clock jumped')
  expect(sayItem('endpoint', { ...item, detail: 'CRM', leads: 1 }).detail).toBe('CRM, 1 delivery waiting')
  expect(sayItem('unsold', { ...item, name: 'funds', leads: 12 })).toEqual({
    name: 'The balance was below the price',
    detail: '12 leads',
  })
})

test('badges count the work of each place, and all of it under Needs you, but not what only others can end', () => {
  const counts = countByPlace({
    data: [
      group('payment', 2),
      group('difference', 1),
      group('message', 4),
      group('unsold', 500),
      group('funds', 9),
    ],
  })
  expect([...counts]).toEqual([
    ['money', { count: 3, more: false }],
    ['needs-you', { count: 7, more: true }],
  ])
})

test('a page of today reads a kind of a later version, and leads to the page of that version', () => {
  const kind = 'stolen_lead'
  const data = [group('payment', 2), { ...group(kind, 3), items: [{ ...item, detail: 'new_reason' }] }]
  const needs = readNeedsSchema.parse({ data })
  expect(needs.data.map(sayNeed)).toEqual(['2 payments to receive', '3 stolen leads wait'])
  expect(wordNeed(kind)).toMatchObject({ title: 'Stolen lead', isLoadedAnew: true })
  expect(needPath(kind)).toBe('/admin/needs-you')
  expect(sayItem(kind, item)).toEqual({ name: 'Sunrise Agency', detail: '' })
  expect(countByPlace(needs).get('needs-you')).toEqual({ count: 5, more: false })
  expect(NEED_KINDS.filter((known) => wordNeed(known).isLoadedAnew)).toEqual([])
})

test('a change from yesterday is a percentage where that says something', () => {
  expect(sayChange(112, 100)).toBe('Up 12%')
  expect(sayChange(97, 100)).toBe('Down 3%')
  expect(sayChange(10_001, 10_000)).toBe('Up < 1%')
  expect(sayChange(5, 5)).toBe('The same')
  expect(sayChange(3, 0)).toBe('Up from none')
  expect(sayChange(-20, 100)).toBe('Down')
  expect(sayChange(10, -20)).toBe('Up')
})
