import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { consumerOf } from '#core/queue/event-consumers.ts'
import { gatherEvents, type Consumed } from '#core/queue/gather-events.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import {
  chooseShard,
  listShards,
  MOST_SHARDS,
  queueInShard,
  shardOfQueue,
  slotOf,
  spreadQueues,
  tagOfShard,
} from '#core/queue/shards.ts'

const SLOTS = 16_384
const prefixes = ['bull', 'leads', 'a', '', ...Array.from({ length: 200 }, () => `lw-${randomUUID()}`)]

describe('a shard', () => {
  it('is always the same for a client', () => {
    // The CRC16 of these nine digits is 0x31c3: another hash would move clients to other shards at an
    // upgrade.
    expect([1, 2, 3, 6, 12].map((shards) => chooseShard('123456789', shards))).toEqual([0, 1, 1, 1, 7])
  })

  it.each([2, 3, 7, MOST_SHARDS])('has about as many clients as each other of %i shards', (shards) => {
    const clients = 30_000
    const counts = listShards(shards).map(() => 0)
    for (let made = 0; made < clients; made += 1) {
      const shard = chooseShard(randomUUID(), shards)
      counts[shard] = (counts[shard] ?? 0) + 1
    }
    const even = clients / shards
    expect(Math.min(...counts)).toBeGreaterThan(even * 0.85)
    expect(Math.max(...counts)).toBeLessThan(even * 1.15)
  })

  it('is read from the name of its queue', () => {
    for (const shard of listShards(MOST_SHARDS))
      expect(shardOfQueue(queueInShard('lead-events', shard))).toBe(shard)
    expect(shardOfQueue('lead-events-burst')).toBe(0)
  })
})

describe('the first shard', () => {
  it('has no number in its names and its hash tag', () => {
    const single = { queuePrefix: 'bull', clusterNodes: undefined }
    const cluster = { queuePrefix: 'bull', clusterNodes: ['a:1'] }
    expect([queuePrefix(single), queuePrefix(cluster)]).toEqual(['bull', '{bull}'])
    expect(queueInShard('lead-events', 0)).toBe('lead-events')
  })
})

it('queues are spread over the shards', () => {
  expect(spreadQueues(['lead-events', 'webhook-deliveries'], [0, 2])).toEqual([
    'lead-events',
    'webhook-deliveries',
    'lead-events.2',
    'webhook-deliveries.2',
  ])
})

describe('the hash tag of a shard', () => {
  it('has the slot that Redis computes', () => {
    // From the specification of Redis Cluster: CRC16 of 123456789 is 0x31c3; CLUSTER KEYSLOT gives the
    // others.
    expect([slotOf('123456789'), slotOf('foo'), slotOf('bar')]).toEqual([0x31c3, 12_182, 5061])
  })

  it.each([3, 6, MOST_SHARDS])(
    'of each shard lies on another of %i masters, with any QUEUE_PREFIX',
    (masters) => {
      for (const prefix of prefixes) {
        const found = listShards(masters).map((shard) =>
          Math.floor((slotOf(tagOfShard(prefix, shard)) * masters) / SLOTS),
        )
        expect(new Set(found).size, prefix).toBe(masters)
      }
    },
  )

  it('is unique', () => {
    for (const prefix of prefixes) {
      const tags = listShards(MOST_SHARDS).map((shard) => tagOfShard(prefix, shard))
      expect(new Set(tags).size).toBe(MOST_SHARDS)
    }
  })
})

it('only events of one shard share a job', () => {
  const consumer = consumerOf('lead.created')
  if (consumer === undefined) throw new Error('Nobody consumes lead.created')
  const events = Array.from({ length: 9 }, (_none, index): Consumed => {
    const event = { id: `event-${index}`, type: 'lead.created', client_user_id: null }
    return { event, consumer, shard: index % 3 }
  })

  const piles = gatherEvents(events, { most: 2, turnOf: () => 0 })

  expect(piles.map(({ shard, ids }) => [shard, ...ids])).toEqual([
    [0, 'event-0', 'event-3'],
    [1, 'event-1', 'event-4'],
    [2, 'event-2', 'event-5'],
    [0, 'event-6'],
    [1, 'event-7'],
    [2, 'event-8'],
  ])
})
