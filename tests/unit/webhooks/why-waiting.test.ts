import { describe, expect, it, test } from 'vitest'
import { WAIT_REASONS } from '#core/contract/operations/waits.ts'
import {
  findWaitReason,
  wordWaitReason,
  type Carriage,
  type EndpointOfDelivery,
  type Traffic,
  type UnfinishedDelivery,
} from '#core/domain/webhooks/why-waiting.ts'

const now = new Date('2026-01-31T12:00:00Z')
const earlier = new Date('2026-01-31T11:59:00Z')
const later = new Date('2026-01-31T12:03:00Z')
const limits = { newAtOnce: 2, newPerClient: 5, endpointAtOnce: 50, reserve: 0.2 }

/** One due delivery to a good endpoint, while there is room for everybody: it is next. */
interface Case {
  delivery?: Partial<UnfinishedDelivery>
  endpoint?: Partial<EndpointOfDelivery>
  traffic?: Partial<Traffic>
  carriage?: Partial<Carriage> | null
}

function judge({ delivery, endpoint, traffic, carriage }: Case) {
  return findWaitReason(
    { state: 'pending', due_at: earlier, is_leased: false, is_probe: false, before: 0, ...delivery },
    { is_active: true, breaker: 'closed', probe_at: null, standing: 'proved', in_flight: 0, ...endpoint },
    { of_client: 0, of_client_at_new: 0, clients: 2, in_flight: 0, ...traffic },
    carriage === null ? null : { workers: { count: 1, slots: 100 }, is_paused: false, ...carriage },
    limits,
    now,
  )
}

const open = { breaker: 'open', probe_at: later } as const
const noWorker = { workers: { count: 0, slots: 0 } }

const rows: Array<[string, Case, object]> = [
  ['is next where nothing is in its way', {}, { code: 'next' }],
  ['has begun where a worker has its lease', { delivery: { is_leased: true } }, { code: 'in_progress' }],
  [
    'has begun also where its webhook was switched off meanwhile',
    { delivery: { is_leased: true }, endpoint: { is_active: false } },
    { code: 'in_progress' },
  ],
  ['waits for its webhook to be on', { endpoint: { is_active: false } }, { code: 'switched_off' }],
  [
    'waits for its webhook to be on, held as well as planned',
    { delivery: { state: 'held', due_at: null }, endpoint: { is_active: false } },
    { code: 'switched_off' },
  ],
  ['waits for its planned time', { delivery: { due_at: later } }, { code: 'not_due', until: later }],
  [
    'waits for its planned time, whether a worker runs or not',
    { delivery: { due_at: later }, carriage: noWorker },
    { code: 'not_due', until: later },
  ],
  ['is due at its very moment', { delivery: { due_at: now } }, { code: 'next' }],
  ['waits for its endpoint to be tried again', { endpoint: open }, { code: 'breaker_open', until: later }],
  [
    'goes through an open breaker as its probe',
    { delivery: { is_probe: true }, endpoint: open },
    { code: 'next' },
  ],
  ['has no reason that is known while Redis is away', { carriage: null }, { code: 'redis_away' }],
  ['waits for a worker', { carriage: noWorker }, { code: 'no_worker' }],
  ['waits while its queue is paused', { carriage: { is_paused: true } }, { code: 'queue_paused' }],
  [
    'waits for the first answer of an endpoint with two requests under way',
    { endpoint: { standing: 'new', in_flight: 2 } },
    { code: 'endpoint_new', count: 2 },
  ],
  [
    'tries a new endpoint that has one under way',
    { endpoint: { standing: 'new', in_flight: 1 } },
    { code: 'next' },
  ],
  [
    'waits behind its client’s other endpoints that have never answered',
    { endpoint: { standing: 'new' }, traffic: { of_client: 5, of_client_at_new: 5 } },
    { code: 'newcomers', count: 5 },
  ],
  [
    'does not wait behind them where its own endpoint has answered',
    { traffic: { of_client: 5, of_client_at_new: 5 } },
    { code: 'next' },
  ],
  [
    'waits for a slow endpoint',
    { endpoint: { standing: 'slow', in_flight: 3 } },
    { code: 'endpoint_slow', count: 3 },
  ],
  [
    'waits where its endpoint has as many as one gets',
    { endpoint: { in_flight: 50 }, traffic: { of_client: 50 } },
    { code: 'endpoint_full', count: 50 },
  ],
  [
    'waits behind its own client, who has his share: 80 of 100 slots for two',
    { traffic: { of_client: 40 } },
    { code: 'client_share', count: 40 },
  ],
  ['has room below that share', { traffic: { of_client: 39 } }, { code: 'next' }],
  [
    'may fill all but the reserve where its client is alone',
    { traffic: { of_client: 79, clients: 1 } },
    { code: 'next' },
  ],
  ['waits for a slot where all are in use', { traffic: { in_flight: 100 } }, { code: 'slots_full' }],
  [
    'waits behind what is due at its endpoint for longer',
    { delivery: { before: 7 } },
    { code: 'behind_own', count: 7 },
  ],
  [
    'is not said to wait for an answer where nobody knows how its endpoint stands',
    { endpoint: { standing: undefined, in_flight: 2 } },
    { code: 'next' },
  ],
  [
    'is held for a moment more when its webhook is on and its endpoint well again',
    { delivery: { state: 'held', due_at: null } },
    { code: 'next' },
  ],
]

describe('a delivery', () => {
  test.each(rows)('%s', (_name, given, expected) => {
    expect(judge(given)).toEqual({ until: null, count: 0, ...expected })
  })
})

describe('the sentence of a reason', () => {
  it.each(WAIT_REASONS)('is whole and plain: %s', (code) => {
    for (const count of [0, 1, 12_000]) {
      const sentence = wordWaitReason({ code, until: null, count })
      expect(sentence).toMatch(/^[A-Z0-9][^_{}]*\.$/)
      expect(sentence).not.toMatch(/\b1 \w+s\b|\b1 \w+ (to \S+ )*are\b/)
    }
  })

  it('counts in words that fit the number', () => {
    const say = (count: number) => wordWaitReason({ code: 'behind_own', until: null, count })
    expect(say(1)).toBe('1 delivery to the same endpoint is before it.')
    expect(say(12_000)).toBe('12,000 deliveries to the same endpoint are before it.')
  })
})
