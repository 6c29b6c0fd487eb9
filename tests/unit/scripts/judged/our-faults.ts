import { judgeAnswers, judgeRepeats } from '#scripts/chaos/judges/judge-acks.ts'
import { countUnderWay, countWithin, judgeMet, judgeSilence } from '#scripts/chaos/judges/judge-fault.ts'
import { judgeExits, judgeLocks, judgeRunning } from '#scripts/chaos/judges/judge-processes.ts'
import {
  judgeGaps,
  judgeLateness,
  judgeRecovery,
  judgeResends,
  judgeRetryTimes,
  judgeThroughput,
} from '#scripts/chaos/judges/judge-receipts.ts'
import { AT, ack, mute, receipt, retried, type Checks } from './given.ts'

const exit = { status: 0, tookMs: 500, redisWasDown: false }
const twice = (ms: number) => [receipt(), receipt({ at: AT + ms })]
const S1 = { endpoints: [0], spans: [{ from: AT, until: AT + 5000 }], limitMs: 3000 }
const S3 = { stepMs: 5000, limitMs: 60_000 }
const S25 = { mendedAt: AT, limitMs: 90_000, forgotten: [2, 3] }
const AWAY = [{ from: AT + 10, until: AT + 20 }]
const WELL = [{ name: 'worker 1', isRunning: () => true }]

/** One request, then silence, and the next one a moment before the end. */
function silence(ms: number, until = AT + 4000): string[] {
  const receipts = [receipt({ at: AT + ms }), receipt({ at: AT + 3900 })]
  return judgeSilence(receipts, { ...S1, spans: [{ from: AT, until }] }, mute)
}

/** Faults of our own parts: processes, Redis, PostgreSQL, and the connections between them. */
export const OURS: Checks = {
  S1: {
    sound: [...judgeResends(twice(25_000), 40_000, mute), ...silence(2900)],
    refused: {
      'a repeat after 41 s': judgeResends(twice(41_000), 40_000, mute),
      'no repeat at all': judgeResends([receipt()], 40_000, mute),
      'a client that is silent for 3.1 s': silence(3100),
      'a client that is silent to the end': silence(1000, AT + 9000),
      'a client who gets nothing': judgeSilence([], { ...S1, endpoints: [7] }, mute),
      'no span to look at': judgeSilence([receipt()], { ...S1, spans: [] }, mute),
    },
  },
  S2: {
    sound: judgeRepeats([ack({ tries: 2 })], mute),
    refused: { 'an API that was never away': judgeRepeats([ack()], mute) },
  },
  S3: {
    sound: [...judgeLateness(retried(60_000), S3), ...judgeMet({ jobs: 3, retries: 2 }, mute)],
    refused: {
      'a lead after 61 s': judgeLateness([receipt({ at: AT + 61_000 })], S3),
      'a retry 61 s after it was due': judgeLateness(retried(66_000), S3),
      'a flush that met no job': judgeMet({ jobs: 0, retries: 2 }, mute),
      'a flush that met no retry': judgeMet({ jobs: 3, retries: 0 }, mute),
      'a flush at which nothing was counted': judgeMet({}, mute),
    },
  },
  S4: {
    sound: [
      ...judgeAnswers([ack()], 5000, mute),
      ...judgeRunning(WELL),
      ...judgeMet({ retries: countWithin([AT + 15], AWAY) }, mute),
    ],
    refused: {
      'a slow answer': judgeAnswers([ack({ ackedAt: AT + 5001 })], 5000, mute),
      'no answer': judgeAnswers([], 5000, mute),
      'no lead taken while Redis was away': judgeMet({ leads: countWithin([AT + 5], AWAY) }, mute),
      'a worker that ended': judgeRunning([{ name: 'worker 1', isRunning: () => false }]),
    },
  },
  S5: {
    sound: [
      ...judgeThroughput({ acks: [ack(), ack()], receipts: [receipt()] }, AT + 1000, mute),
      ...judgeMet({ cuts: 4 }, mute),
    ],
    refused: {
      'less than half': judgeThroughput(
        { acks: [ack(), ack(), ack()], receipts: [receipt()] },
        AT + 1000,
        mute,
      ),
      'no load': judgeThroughput({ acks: [], receipts: [] }, AT + 1000, mute),
      'no cut': judgeMet({ cuts: 0 }, mute),
    },
  },
  S6: {
    sound: [...judgeRunning(WELL), ...judgeMet({ refusals: 9 }, mute)],
    refused: {
      'a worker that ended': judgeRunning([{ name: 'worker 1', isRunning: () => false }]),
      'a Redis that refused nothing': judgeMet({ refusals: 0 }, mute),
    },
  },
  S7: {
    sound: [...judgeRunning(WELL), ...judgeMet({ answers: countWithin([AT + 10, AT + 20], AWAY) }, mute)],
    refused: {
      'a worker that ended': judgeRunning([{ name: 'worker 1', isRunning: () => false }]),
      'no answer while nobody could write it': judgeMet(
        { answers: countWithin([AT + 9, AT + 21], AWAY) },
        mute,
      ),
    },
  },
  S8: {
    sound: judgeMet({ repeats: 3, 'late answers': 3 }, mute),
    refused: {
      'a sleep in which nothing was in flight': judgeMet({ repeats: 0, 'late answers': 0 }, mute),
      'no late answer': judgeMet({ repeats: 3, 'late answers': 0 }, mute),
    },
  },
  S9: {
    sound: judgeMet({ swallowed: 4 }, mute),
    refused: { 'no reply swallowed': judgeMet({ swallowed: 0 }, mute) },
  },
  S16: {
    sound: [
      ...judgeExits({ exits: [exit, { ...exit, status: 1, redisWasDown: true }], stalls: 0 }, 25_000, mute),
      ...judgeMet({ requests: countUnderWay([receipt()], [AT + 299], 300) }, mute),
    ],
    refused: {
      'a slow exit': judgeExits({ exits: [{ ...exit, tookMs: 26_000 }], stalls: 0 }, 25_000, mute),
      'a bad status': judgeExits({ exits: [{ ...exit, status: null }], stalls: 0 }, 25_000, mute),
      'a stall': judgeExits({ exits: [exit], stalls: 1 }, 25_000, mute),
      'nothing under way at a SIGTERM': judgeMet(
        { requests: countUnderWay([receipt()], [AT - 1, AT + 300], 300) },
        mute,
      ),
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
      'no packet late': judgeMet({ redis: 9, postgres: 0 }, mute),
      'nothing sent': judgeLocks('', 0, mute),
    },
  },
  S20: {
    sound: judgeMet({ 'held up': 1, repeats: 1 }, mute),
    refused: {
      'a block that held nothing up': judgeMet({ 'held up': 0 }, mute),
      'a long block that outlived no lease': judgeMet({ 'held up': 3, repeats: 0 }, mute),
    },
  },
  S25: {
    sound: judgeRecovery([receipt({ at: AT + 80_000 })], S25),
    refused: {
      'a lead after 91 s': judgeRecovery([receipt({ at: AT + 91_000 })], S25),
      'nothing to forget': judgeRecovery([receipt()], { ...S25, forgotten: [2, 0] }),
    },
  },
  S26: {
    sound: judgeMet({ rings: 50, held: 9 }, mute),
    refused: {
      'no ring lost': judgeMet({ rings: 0, held: 9 }, mute),
      'nothing that was held': judgeMet({ rings: 50, held: 0 }, mute),
    },
  },
  S27: {
    sound: [...judgeMet({ deaths: 3 }, mute), ...silence(2900)],
    refused: {
      'no death': judgeMet({ deaths: 0 }, mute),
      'a client that is silent for 3.1 s': silence(3100),
    },
  },
  S28: {
    sound: [...judgeMet({ held: 8, waited: 900 }, mute), ...silence(2900)],
    refused: {
      'a sleeper with nothing in flight': judgeMet({ held: 0, waited: 900 }, mute),
      'nobody who waited': judgeMet({ held: 8, waited: 0 }, mute),
      'a client that is silent for 3.1 s': silence(3100),
    },
  },
}
