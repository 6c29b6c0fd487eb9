import { expect, test } from 'vitest'
import { QUEUE_COUNTED } from '#core/contract/operations/queues.ts'
import type { UnfinishedTally } from '#core/data/operations/queue-counts.ts'
import { chooseShard } from '#core/queue/shards.ts'
import { describeQueues } from '#server/operations/admin/show-queues.ts'

const SHARDS = 2
const clientIn = (shard: number): string => {
  for (let at = 0; ; at += 1) {
    const id = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
    if (chooseShard(id, SHARDS) === shard) return id
  }
}
const tally = (shard: number, counts: Partial<UnfinishedTally>): UnfinishedTally => ({
  webhook_config_id: '00000000-0000-4000-8000-000000000001',
  client_user_id: clientIn(shard),
  waiting: 0,
  oldest_due: null,
  active: 0,
  planned: 0,
  retrying: 0,
  held: 0,
  is_silent: false,
  endpoint_url: 'https://crm.example.com/hook?token=secret',
  ...counts,
})

const show = (...unfinished: UnfinishedTally[]) =>
  describeQueues(
    { counted_at: new Date(0), unfinished, dead: [], completed: [] },
    { workers: { count: 1, slots: 100 }, is_paused: false },
    SHARDS,
  )

test('a count is exact up to 100,000, and says above that there are more', () => {
  const exact = show(tally(0, { planned: QUEUE_COUNTED }))
  expect(exact.total.delayed).toEqual({ count: QUEUE_COUNTED, more: false })

  const above = show(tally(0, { planned: 60_000 }), tally(1, { planned: 40_001, held: 5 }))
  expect(above.total.delayed).toEqual({ count: QUEUE_COUNTED, more: true })
  expect(above.total.held).toEqual({ count: 5, more: false })
  expect(above.shards.map(({ counts }) => counts.delayed)).toEqual([
    { count: 60_000, more: true },
    { count: 40_006, more: true },
  ])
  expect(above.shards.map(({ counts }) => counts.waiting)).toEqual([
    { count: 0, more: false },
    { count: 0, more: false },
  ])
})

test('a sentence names the host of an endpoint, and never its path or query', () => {
  const { problems } = show(tally(0, { planned: 50, retrying: 50, held: 3, is_silent: true }))
  expect(problems.map(({ code }) => code)).toEqual(['failing', 'silent'])
  expect(JSON.stringify(problems)).not.toContain('hook')
})
