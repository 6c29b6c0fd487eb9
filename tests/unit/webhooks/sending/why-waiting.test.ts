import { describe, expect, it, test } from 'vitest'
import { WAIT_REASONS } from '#core/contract/operations/waits.ts'
import {
  findWaitReason,
  wordWaitReason,
  type Carriage,
  type EndpointOfDelivery,
  type Traffic,
  type UnderWay,
  type UnfinishedDelivery,
} from '#core/domain/webhooks/why-waiting.ts'
import { openJudgeRoom } from '#core/fairness/judge-room.ts'

const now = new Date('2026-01-31T12:00:00Z')
const earlier = new Date('2026-01-31T11:59:00Z')
const later = new Date('2026-01-31T12:03:00Z')
const judgeRoom = openJudgeRoom(50)
const none = { new: 0, proved: 0, slow: 0 }

/** One due delivery to a healthy endpoint, with room for everybody: it is next. */
interface Case {
  delivery?: Partial<UnfinishedDelivery>
  endpoint?: Partial<EndpointOfDelivery>
  traffic?: Partial<Traffic>
  queueState?: Partial<Carriage> | null
}

function judge({ delivery, endpoint, traffic, queueState }: Case) {
  return findWaitReason(
    {
      state: 'pending',
      due_at: earlier,
      is_leased: false,
      is_probe: false,
      gives_way: false,
      is_offered: false,
      ...delivery,
    },
    {
      is_active: true,
      breaker: 'closed',
      probe_at: null,
      speed: 'proved',
      is_strained: false,
      is_heavy: false,
      in_flight: 0,
      ...endpoint,
    },
    { own: none, all: none, clients: 2, ...traffic },
    queueState === null ? null : { workers: { count: 1, slots: 100 }, is_paused: false, ...queueState },
    judgeRoom,
    now,
  )
}

const open = { breaker: 'open', probe_at: later } as const
const two = { workers: { count: 2, slots: 200 } }
const three = { workers: { count: 3, slots: 300 } }
/** Deliveries in flight, of its client and of the others. */
function fill(own: Partial<UnderWay>, others: Partial<UnderWay> = {}): Traffic {
  const of = (speed: keyof UnderWay) => (own[speed] ?? 0) + (others[speed] ?? 0)
  return {
    own: { ...none, ...own },
    all: { new: of('new'), proved: of('proved'), slow: of('slow') },
    clients: 2,
  }
}
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
  [
    'waits for its owner where it came while its webhook was off, also once that is on',
    { delivery: { state: 'held', due_at: null, is_offered: true } },
    { code: 'offered' },
  ],
  ['waits for its planned time', { delivery: { due_at: later } }, { code: 'not_due', until: later }],
  [
    'waits for its planned time, whether a worker runs or not',
    { delivery: { due_at: later }, queueState: noWorker },
    { code: 'not_due', until: later },
  ],
  ['is due at its very moment', { delivery: { due_at: now } }, { code: 'next' }],
  ['waits for its endpoint to be tried again', { endpoint: open }, { code: 'breaker_open', until: later }],
  [
    'waits for the next request of the minute that its owner allows',
    { endpoint: { next_token_at: later } },
    { code: 'endpoint_rate', until: later },
  ],
  ['has a request of this minute left', { endpoint: { next_token_at: now } }, { code: 'next' }],
  [
    'goes through an open breaker as its probe',
    { delivery: { is_probe: true }, endpoint: open },
    { code: 'next' },
  ],
  ['has no reason that is known while Redis is away', { queueState: null }, { code: 'redis_away' }],
  ['waits for a worker', { queueState: noWorker }, { code: 'no_worker' }],
  ['waits while its queue is paused', { queueState: { is_paused: true } }, { code: 'queue_paused' }],
  [
    'waits for the first answer of an endpoint with two requests under way',
    { endpoint: { speed: 'new', in_flight: 2 } },
    { code: 'endpoint_new', count: 2 },
  ],
  [
    'tries a new endpoint that has one under way',
    { endpoint: { speed: 'new', in_flight: 1 } },
    { code: 'next' },
  ],
  [
    'waits behind its client’s other endpoints that have never answered',
    { endpoint: { speed: 'new' }, traffic: fill({ new: 5 }) },
    { code: 'newcomers', count: 5 },
  ],
  [
    'does not wait behind them where its own endpoint has answered',
    { traffic: fill({ new: 5 }) },
    { code: 'next' },
  ],
  [
    'has room for a sixth such request where two workers may have three each',
    { endpoint: { speed: 'new' }, traffic: fill({ new: 5 }), queueState: two },
    { code: 'next' },
  ],
  [
    'waits where those of everybody that have never answered fill their part',
    { endpoint: { speed: 'new' }, traffic: fill({}, { new: 25 }) },
    { code: 'new_full', count: 25 },
  ],
  [
    'goes at once to a slow endpoint while there is room for slow ones',
    { endpoint: { speed: 'slow' }, traffic: fill({ slow: 3 }) },
    { code: 'next' },
  ],
  [
    'waits for a slow endpoint where slow ones fill their part',
    { endpoint: { speed: 'slow', in_flight: 3 }, traffic: fill({ slow: 3 }, { slow: 46 }) },
    { code: 'endpoint_slow', count: 49 },
  ],
  [
    'waits where its endpoint has as many as one gets',
    { endpoint: { in_flight: 50 }, traffic: fill({ proved: 50 }) },
    { code: 'endpoint_full', count: 50 },
  ],
  [
    'waits where each of three workers sends an endpoint its part: 16 of 50',
    { endpoint: { in_flight: 48 }, traffic: fill({ proved: 48 }), queueState: three },
    { code: 'endpoint_full', count: 48 },
  ],
  [
    'waits behind its own client, who has twice what is left beyond the reserve',
    { traffic: fill({ proved: 54 }) },
    { code: 'client_share', count: 54 },
  ],
  ['has room below that share', { traffic: fill({ proved: 9 }, { proved: 66 }) }, { code: 'next' }],
  [
    'may fill all but the reserve where its client is alone',
    { endpoint: { in_flight: 40 }, traffic: { ...fill({ proved: 79 }), clients: 1 } },
    { code: 'gives_way' },
  ],
  [
    'leaves the reserve to others also where its client is alone',
    { traffic: { ...fill({ proved: 80 }), clients: 1 } },
    { code: 'client_share', count: 80 },
  ],
  ['waits for a slot where all are in use', { traffic: fill({}, { proved: 100 }) }, { code: 'slots_full' }],
  [
    'may wait for the pace of heavy payloads, also as a retry',
    { endpoint: { is_heavy: true }, delivery: { gives_way: true } },
    { code: 'heavy_payloads' },
  ],
  [
    'does not, where its client is alone',
    { endpoint: { is_heavy: true }, traffic: { clients: 1 } },
    { code: 'next' },
  ],
  ['gives way as a retry, or as part of a burst', { delivery: { gives_way: true } }, { code: 'gives_way' }],
  ['gives way where its client has ten under way', { traffic: fill({ proved: 10 }) }, { code: 'gives_way' }],
  [
    'waits for what is under way at an endpoint that lately did not answer',
    { endpoint: { is_strained: true, in_flight: 1 }, traffic: fill({ proved: 1 }) },
    { code: 'endpoint_strained', count: 1 },
  ],
  [
    'may wait for what is under way at a slow endpoint',
    { endpoint: { speed: 'slow', in_flight: 3 }, traffic: fill({ slow: 3 }) },
    { code: 'endpoint_strained', count: 3 },
  ],
  [
    'goes at once to such an endpoint where nothing is under way there',
    { endpoint: { is_strained: true } },
    { code: 'next' },
  ],
  [
    'is not said to wait for an answer where nobody knows how its endpoint stands',
    { endpoint: { speed: undefined, in_flight: 2 } },
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
  it.each(WAIT_REASONS)('is a complete sentence: %s', (code) => {
    for (const count of [0, 1, 12_000]) {
      const sentence = wordWaitReason({ code, until: null, count })
      expect(sentence).toMatch(/^[A-Z0-9][^_{}]*\.$/)
      expect(sentence).not.toMatch(/\b1 \w+s\b|\b1 \w+ (to \S+ )*are\b/)
    }
  })

  it('has a singular and a plural', () => {
    const say = (count: number) => wordWaitReason({ code: 'new_full', until: null, count })
    const shared = 'Endpoints that have never answered share a part of the slots, and'
    expect(say(1)).toBe(`${shared} 1 request to them is under way.`)
    expect(say(12_000)).toBe(`${shared} 12,000 requests to them are under way.`)
  })
})
