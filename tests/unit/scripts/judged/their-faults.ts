import { judgeArrivals } from '#scripts/chaos/judges/judge-acks.ts'
import {
  judgeDeadline,
  judgeOddAnswers,
  judgeRefusals,
  judgeThrottling,
} from '#scripts/chaos/judges/judge-attempts.ts'
import { judgeMet } from '#scripts/chaos/judges/judge-fault.ts'
import { judgeBounds, judgeFlapping } from '#scripts/chaos/judges/judge-processes.ts'
import { judgeReturn } from '#scripts/chaos/judges/judge-return.ts'
import { AT, mute, receipt, row, type Checks } from './given.ts'

const timeout = row({ tookMs: 3010, errorClass: 'timeout' })
const numbers = (count: number) => Array.from({ length: count }, (_unused, index) => index)

/**
 * Throttled deliveries, one every 100 ms, each planned for `plan` and returning then, in a scenario that
 * forwards none of them.
 */
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
const soundBounds = { keys: 10, stray: 0, weeks: 6 }

/** Faults of endpoints and of the network to them, and high numbers. */
export const THEIRS: Checks = {
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
  S14: {
    sound: judgeDeadline([timeout], { endpoints: [1], longestMs: 6250 }, mute),
    refused: {
      'an endpoint that hung for nobody': judgeDeadline([row()], { endpoints: [1], longestMs: 6250 }, mute),
    },
  },
  S15: {
    sound: [
      ...judgeFlapping({ requestsPerSecond: [0.3, 2], switchedOff: 0 }, 2),
      ...judgeMet({ cut: 9 }, mute),
    ],
    refused: {
      'three requests a second': judgeFlapping({ requestsPerSecond: [0.3, 3], switchedOff: 0 }, 2),
      'a webhook switched off': judgeFlapping({ requestsPerSecond: [0.3], switchedOff: 1 }, 2),
      'no request while it was down': judgeMet({ cut: 0 }, mute),
      'an endpoint that was never down': judgeFlapping({ requestsPerSecond: [], switchedOff: 0 }, 2),
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
}
