import { expect, test } from 'vitest'
import type { Export } from '#core/contract/exports/export.ts'
import { nextLook } from '#web/api/export-progress.ts'
import { describeFilters, describeState, mayTryAgain } from '#web/components/exports/export-words.ts'

const WAITING: Export = {
  id: '0199a000-0000-7000-8000-000000000000',
  kind: 'leads',
  filters: {},
  state: 'waiting',
  rows_done: 0,
  rows_all: null,
  size: null,
  failure: null,
  created_at: '2026-11-30T12:00:00Z',
  started_at: null,
  finished_at: null,
  expires_at: null,
}

test('an export says how far it is', () => {
  const running = { ...WAITING, state: 'running' } as const
  const done = {
    ...running,
    state: 'done',
    rows_done: 1,
    size: 1_234_567,
    expires_at: '2026-12-07T12:00:00Z',
  } as const
  expect(describeState(WAITING)).toBe('Waiting for its turn')
  expect(describeState(running)).toBe('Counting the rows')
  expect(describeState({ ...running, rows_done: 500, rows_all: 7200 })).toBe('500 of 7,200 rows')
  expect(describeState(done)).toBe('1 row · 1.2 MB · kept until Dec 7')
})

test('a failed export says why, and may be tried again unless the role is another', () => {
  const failed = { ...WAITING, state: 'failed', failure: 'no_room' } as const
  expect(describeState(failed)).toBe('The server had no room for the file.')
  expect([failed, { ...failed, failure: 'access_lost' } as const, WAITING].map(mayTryAgain)).toEqual([
    true,
    false,
    false,
  ])
})

test('an export says which leads it contains, and not in which order', () => {
  expect(describeFilters({ sort: 'name' })).toBe('All leads')
  expect(
    describeFilters({
      state: 'TX',
      search: 'rosa',
      is_test: 'false',
      disposition: 'appointment_set',
      sort: 'name',
    }),
  ).toBe('State TX, “rosa”, without test leads, disposition appointment set')
  expect(describeFilters({ unread: 'true', delivery: 'failed', member: 'none' })).toBe(
    'Unread only, failed deliveries only, shared leads only',
  )
})

test('the progress is asked for every second at first, and less often of an export that takes long', () => {
  const after = (seconds: number) => new Date(Date.parse(WAITING.created_at) + seconds * 1000)
  const done = { ...WAITING, state: 'done', created_at: after(500).toISOString() } as const
  expect(nextLook([done], after(600))).toBe(false)
  expect([0, 5, 40, 3600].map((seconds) => nextLook([done, WAITING], after(seconds)))).toEqual([
    1000, 1000, 4000, 10_000,
  ])
})
