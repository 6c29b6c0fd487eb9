import { describe, expect, test } from 'vitest'
import { openJudgeRoom, type SpeedClass } from '#core/fairness/judge-room.ts'
import { createSlotPool } from '#worker/dispatch/slot-pool.ts'
import { createWaitingClients } from '#worker/dispatch/waiting-clients.ts'

const SLOTS = 60
const LIMIT = 50
const judgeRoom = openJudgeRoom(LIMIT)

/**
 * Workers that take one of this client's deliveries in turn until none has room; each is told what is in
 * flight.
 */
function fillWorkers(count: number, speed: SpeedClass, endpoints: number, others: number) {
  const shares = Array.from({ length: count }, () =>
    createSlotPool({ slots: SLOTS, limit: LIMIT, now: () => 0 }),
  )
  for (const slotPool of shares) {
    slotPool.setWorkerCount(count)
    for (let at = 0; at < endpoints; at += 1) slotPool.recall(`endpoint ${at}`, speed)
    for (let at = 0; at < others; at += 1) {
      slotPool.recall(`other ${at}`, 'proved')
      expect(slotPool.enter(`other ${at}`, `neighbour ${at}`)).toBeDefined()
    }
  }
  const here = new Map<string, number>()
  const takeOne = (): boolean => {
    for (let at = 0; at < endpoints; at += 1)
      if (
        shares.map((slotPool) => slotPool.enter(`endpoint ${at}`, 'ada')).every((slot) => slot !== undefined)
      ) {
        here.set(`endpoint ${at}`, (here.get(`endpoint ${at}`) ?? 0) + count)
        return true
      }
    return false
  }
  return { here, takeOne }
}

const cases = [1, 2, 3].flatMap((workers) =>
  (['new', 'proved', 'slow'] as const).flatMap((speed) =>
    [1, 3, 12].flatMap((endpoints) => [0, 4].map((others) => ({ workers, speed, endpoints, others }))),
  ),
)

describe('judgeRoom agrees with the workers’ own slot pools', () => {
  test.each(cases)(
    '$workers workers, $endpoints $speed endpoints, $others neighbours',
    ({ workers, speed, endpoints, others }) => {
      const { here, takeOne } = fillWorkers(workers, speed, endpoints, others)
      const hasRoom = (endpoint: string): boolean => {
        const own = { new: 0, proved: 0, slow: 0, [speed]: [...here.values()].reduce((a, b) => a + b, 0) }
        const all = { ...own, proved: own.proved + others * workers }
        const asked = { speed, here: here.get(endpoint) ?? 0, own, all, isLowPriority: false }
        const judged = judgeRoom(
          { ...asked, isAlone: others === 0 },
          { count: workers, slots: workers * SLOTS },
        )
        return judged === undefined || judged === 'gives_way'
      }
      const seesRoom = (): boolean =>
        Array.from({ length: endpoints }, (_none, at) => `endpoint ${at}`).some(hasRoom)

      for (let taken = 0; taken < SLOTS; taken += 1) {
        const sees = seesRoom()
        expect({ taken, hasRoom: takeOne() }).toEqual({ taken, hasRoom: sees })
        if (!sees) return
      }
      expect.unreachable('nobody was ever refused')
    },
  )
})

test.each([1, 2, 3, 20])('judgeRoom reports low priority exactly when %i workers do', (count) => {
  const slotPool = createSlotPool({ slots: SLOTS, limit: LIMIT, now: () => 0 })
  slotPool.recall('endpoint', 'proved')
  const waiting = createWaitingClients(slotPool)
  waiting.setWorkerCount(count)
  waiting.notify('ada', 'endpoint', SLOTS)
  // If no room is left at low priority, a worker still begins what has normal priority.
  const begun = waiting.allot(SLOTS, 0).flatMap(({ slots }) => slots).length
  const judge = (inFlight: number) =>
    judgeRoom(
      {
        speed: 'proved',
        here: 0,
        all: { new: 0, proved: inFlight, slow: 0 },
        own: { new: 0, proved: inFlight, slow: 0 },
        isAlone: false,
        isLowPriority: false,
      },
      { count, slots: count * SLOTS },
    )
  expect(judge(begun * count)).toBe('gives_way')
  expect(judge((begun - 1) * count)).toBeUndefined()
})
