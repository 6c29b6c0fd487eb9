import { describe, expect, test } from 'vitest'
import { judgeAnswers, judgeArrivals, judgeRepeats } from '#scripts/chaos/judges/judge-acks.ts'
import {
  judgeDeadline,
  judgeOddAnswers,
  judgeRefusals,
  judgeThrottling,
} from '#scripts/chaos/judges/judge-attempts.ts'
import {
  judgeBounds,
  judgeExits,
  judgeFlapping,
  judgeLocks,
  judgeRunning,
} from '#scripts/chaos/judges/judge-processes.ts'
import {
  judgeGaps,
  judgeLateness,
  judgeRecovery,
  judgeResends,
  judgeRetryTimes,
  judgeThroughput,
} from '#scripts/chaos/judges/judge-receipts.ts'
import { judgeReturn } from '#scripts/chaos/judges/judge-return.ts'
import type { Ack, Receipt } from '#scripts/chaos/ledger.ts'
import type { AttemptRow } from '#scripts/chaos/read-logs.ts'
import { SCENARIOS } from '#scripts/chaos/scenarios.ts'

const AT = 1_000_000
const mute = () => undefined

const ACK = { externalId: 'x', leadId: 'lead', endpoint: 0, intended: AT, ackedAt: AT + 5, tries: 1 }
const RECEIPT = {
  endpoint: 0,
  eventId: 'e',
  deliveryId: 'd',
  attempt: 1,
  at: AT,
  intended: AT,
  answered: 200,
}
const ROW = {
  deliveryId: 'd',
  endpoint: 1,
  attempt: 1,
  tookMs: 10,
  errorClass: null,
  status: 200,
  madeAt: AT,
}
const ack = (changes: Partial<Ack> = {}): Ack => ({ ...ACK, ...changes })
const receipt = (changes: Partial<Receipt> = {}): Receipt => ({ ...RECEIPT, wasCut: false, ...changes })
const row = (changes: Partial<AttemptRow> = {}): AttemptRow => ({ ...ROW, nextAt: null, ...changes })
const timeout = row({ tookMs: 3010, errorClass: 'timeout' })
const exit = { status: 0, tookMs: 500, redisWasDown: false }
const numbers = (count: number) => Array.from({ length: count }, (_unused, index) => index)

/** Deliveries throttled one a 100 ms, each planned for `plan` and back then; in a scenario that forwards nothing of theirs. */
function storm(plan: (madeAt: number, index: number) => number, backAt = plan): string[] {
  const made = numbers(40).map((index) => AT + index * 100)
  const attempts = made.map((madeAt, index) =>
    row({ deliveryId: `d${index}`, errorClass: 'throttled', madeAt, nextAt: plan(madeAt, index) }),
  )
  const receipts = made.flatMap((at, index) => [
    receipt({ deliveryId: `d${index}`, at, answered: 429 }),
    receipt({ deliveryId: `d${index}`, at: backAt(at, index), attempt: 2 }),
  ])
  return judgeReturn({ attempts, receipts }, { endpoint: 9, from: AT }, mute)
}
const late = (madeAt: number, index: number) => madeAt + 5000 + (index % 7) * 150

const asked = { endpoint: 1, leastSeconds: 1.6, mostSeconds: 10 }
const WAITS = [asked]
const ODD = [{ name: 'huge-body', endpoint: 1, outcome: 'success' as const }]
const CUT = [{ name: 'reset', endpoint: 1, outcome: 'failure' as const }]
const TLS = [{ name: 'expired', endpoint: 1, errorClass: 'tls' }]
const wait = (seconds: number) => row({ errorClass: 'throttled', nextAt: AT + seconds * 1000 })
const twice = (ms: number) => [receipt(), receipt({ at: AT + ms })]
const retried = (ms: number) => [receipt(), receipt({ attempt: 2, at: AT + ms })]
const S3 = { stepMs: 5000, limitMs: 60_000, waitingAtFlush: 3 }
const S25 = { mendedAt: AT, limitMs: 90_000, forgotten: [2, 3] }
const cuts = { mendedAt: AT + 1000, linesCut: 4 }
const soundBounds = { keys: 10, stray: 0, weeks: 6 }

/** What the check of each scenario must accept, and what it must refuse, the case in which nothing of its fault was met among it. */
const CHECKS: Record<string, { sound: string[]; refused: Record<string, string[]> }> = {
  S1: {
    sound: judgeResends(twice(25_000), 40_000, mute),
    refused: {
      'a repeat after 41 s': judgeResends(twice(41_000), 40_000, mute),
      'no repeat at all': judgeResends([receipt()], 40_000, mute),
    },
  },
  S2: {
    sound: judgeRepeats([ack({ tries: 2 })], mute),
    refused: { 'an API that was never away': judgeRepeats([ack()], mute) },
  },
  S3: {
    sound: judgeLateness(retried(60_000), S3),
    refused: {
      'a lead after 61 s': judgeLateness([receipt({ at: AT + 61_000 })], S3),
      'a retry 61 s after it was due': judgeLateness(retried(66_000), S3),
      'a flush that met no retry': judgeLateness(retried(5000), { ...S3, waitingAtFlush: 0 }),
    },
  },
  S4: {
    sound: [...judgeAnswers([ack()], 5000, mute), ...judgeRunning([{ name: 'w', isRunning: () => true }])],
    refused: {
      'a slow answer': judgeAnswers([ack({ ackedAt: AT + 5001 })], 5000, mute),
      'no answer': judgeAnswers([], 5000, mute),
      'a worker that ended': judgeRunning([{ name: 'worker 1', isRunning: () => false }]),
    },
  },
  S5: {
    sound: judgeThroughput({ acks: [ack(), ack()], receipts: [receipt()] }, cuts, mute),
    refused: {
      'less than half': judgeThroughput({ acks: [ack(), ack(), ack()], receipts: [receipt()] }, cuts, mute),
      'no load': judgeThroughput({ acks: [], receipts: [] }, cuts, mute),
      'no cut': judgeThroughput({ acks: [ack()], receipts: [receipt()] }, { ...cuts, linesCut: 0 }, mute),
    },
  },
  S6: {
    sound: judgeRunning([{ name: 'w', isRunning: () => true }]),
    refused: { 'a worker that ended': judgeRunning([{ name: 'worker 1', isRunning: () => false }]) },
  },
  S10: {
    sound: judgeDeadline([timeout], { endpoints: [1], longestMs: 3750 }, mute),
    refused: {
      'an exchange of 4 s': judgeDeadline(
        [timeout, row({ tookMs: 4000 })],
        { endpoints: [1], longestMs: 3750 },
        mute,
      ),
      'one endpoint that never timed out': judgeDeadline(
        [timeout],
        { endpoints: [1, 2], longestMs: 3750 },
        mute,
      ),
    },
  },
  S11: {
    sound: judgeDeadline([timeout], { endpoints: [1], longestMs: 3750 }, mute),
    refused: { 'no timeout': judgeDeadline([row()], { endpoints: [1], longestMs: 3750 }, mute) },
  },
  S12: {
    sound: judgeOddAnswers([row()], ODD, { longest: 16_384, limit: 16_384 }, mute),
    refused: {
      'a failure that is none': judgeOddAnswers(
        [row({ errorClass: 'timeout' })],
        ODD,
        { longest: 9, limit: 9 },
        mute,
      ),
      'a success that is none': judgeOddAnswers([row()], CUT, { longest: 9, limit: 9 }, mute),
      'an answer never met': judgeOddAnswers([], ODD, { longest: 9, limit: 9 }, mute),
      'a long body that was kept': judgeOddAnswers([row()], ODD, { longest: 16_385, limit: 16_384 }, mute),
      'no body that was kept': judgeOddAnswers([row()], ODD, { longest: 0, limit: 16_384 }, mute),
    },
  },
  S13: {
    sound: [...judgeThrottling([wait(1.6), wait(10)], WAITS, mute), ...storm(late)],
    refused: {
      'a wait below the schedule': judgeThrottling([wait(1.5)], WAITS, mute),
      'a wait of years': judgeThrottling([wait(1e9)], WAITS, mute),
      'an endpoint that nobody waits for': judgeThrottling([wait(2)], [{ ...asked, endpoint: 2 }], mute),
      'all planned for one moment': storm(() => AT + 9000),
      'all planned for one second': storm((_madeAt, index) => AT + 9000 + index * 20),
      'all back at once, as soon as it answers': storm(late, () => AT + 12_000),
      'back before the planned time': storm(late, (madeAt) => madeAt + 3000),
      'nobody back': judgeReturn(
        { attempts: [wait(2)], receipts: [receipt({ answered: 429 })] },
        { endpoint: 9, from: AT },
        mute,
      ),
    },
  },
  S15: {
    sound: judgeFlapping({ requestsPerSecond: [0.3, 2], switchedOff: 0 }, 2),
    refused: {
      'three requests a second': judgeFlapping({ requestsPerSecond: [0.3, 3], switchedOff: 0 }, 2),
      'a webhook switched off': judgeFlapping({ requestsPerSecond: [0.3], switchedOff: 1 }, 2),
      'an endpoint that was never down': judgeFlapping({ requestsPerSecond: [], switchedOff: 0 }, 2),
    },
  },
  S16: {
    sound: judgeExits({ exits: [exit, { ...exit, status: 1, redisWasDown: true }], stalls: 0 }, 25_000, mute),
    refused: {
      'a slow exit': judgeExits({ exits: [{ ...exit, tookMs: 26_000 }], stalls: 0 }, 25_000, mute),
      'a bad status': judgeExits({ exits: [{ ...exit, status: null }], stalls: 0 }, 25_000, mute),
      'a stall': judgeExits({ exits: [exit], stalls: 1 }, 25_000, mute),
      'no exit': judgeExits({ exits: [], stalls: 0 }, 25_000, mute),
    },
  },
  S17: {
    sound: judgeRetryTimes(retried(3000), 3, mute),
    refused: {
      'a storm': judgeRetryTimes(retried(1800), 3, mute),
      'an hour of silence': judgeRetryTimes(retried(3_600_000), 3, mute),
      'no retry': judgeRetryTimes([receipt()], 3, mute),
    },
  },
  S18: {
    sound: judgeGaps(
      { acks: [ack(), ack({ intended: AT + 4000 })], receipts: [receipt(), receipt({ at: AT + 4100 })] },
      15_000,
      mute,
    ),
    refused: {
      'a pause under way': judgeGaps(
        { acks: [ack(), ack({ intended: AT + 9000 })], receipts: [receipt(), receipt({ at: AT + 15_001 })] },
        15_000,
        mute,
      ),
      'a pause that outlasts the load by far': judgeGaps(
        { acks: [ack(), ack({ intended: AT + 9000 })], receipts: [receipt(), receipt({ at: AT + 60_000 })] },
        15_000,
        mute,
      ),
      nothing: judgeGaps({ acks: [ack(), ack({ intended: AT + 9000 })], receipts: [] }, 15_000, mute),
    },
  },
  S19: {
    sound: judgeLocks('', 100, mute),
    refused: {
      'a lock lost in five': judgeLocks('could not renew lock for job 1\n'.repeat(20), 100, mute),
      'nothing sent': judgeLocks('', 0, mute),
    },
  },
  S21: {
    sound: judgeArrivals([{ deliveryId: 'a' }, { deliveryId: 'a' }, { deliveryId: 'b' }], 2),
    refused: { 'one too few': judgeArrivals([{ deliveryId: 'a' }, { deliveryId: 'a' }], 2) },
  },
  S22: {
    sound: judgeRefusals([row({ errorClass: 'tls' }), row()], TLS, mute),
    refused: {
      'another reason': judgeRefusals([row({ errorClass: 'reset' })], TLS, mute),
      'no attempt': judgeRefusals([], TLS, mute),
    },
  },
  S23: {
    sound: judgeRefusals([row({ errorClass: 'tls' })], TLS, mute),
    refused: { 'a success alone': judgeRefusals([row()], TLS, mute) },
  },
  S24: {
    sound: judgeBounds(soundBounds, 20, mute),
    refused: {
      'many keys': judgeBounds({ ...soundBounds, keys: 21 }, 20, mute),
      'a stray row': judgeBounds({ ...soundBounds, stray: 1 }, 20, mute),
      'no weeks ahead': judgeBounds({ ...soundBounds, weeks: 2 }, 20, mute),
    },
  },
  S25: {
    sound: judgeRecovery([receipt({ at: AT + 80_000 })], S25),
    refused: {
      'a lead after 91 s': judgeRecovery([receipt({ at: AT + 91_000 })], S25),
      'nothing to forget': judgeRecovery([receipt()], { ...S25, forgotten: [2, 0] }),
    },
  },
}

test('every scenario with a check of its own is shown here to be able to fail', () => {
  const checked = SCENARIOS.filter(({ check }) => check !== undefined).map(({ id }) => id)
  expect(Object.keys(CHECKS)).toEqual(checked)
})

describe.for(Object.entries(CHECKS))('the check of %s', ([, { sound, refused }]) => {
  test('accepts what is sound', () => {
    expect(sound).toEqual([])
  })
  test.for(Object.entries(refused))('refuses %s', ([, faults]) => {
    expect(faults).not.toEqual([])
  })
})
