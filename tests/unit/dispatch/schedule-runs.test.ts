import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { scheduleRuns } from '#worker/dispatch/schedule-runs.ts'
import { waitUntil } from '#tests/support/condition.ts'

function counting(paceMs: number, work: () => Promise<void> = () => Promise.resolve(), inHaste = false) {
  const begun: number[] = []
  let running = 0
  let most = 0
  const planned = scheduleRuns({
    paceMs,
    now: () => performance.now(),
    run: async () => {
      begun.push(performance.now())
      running += 1
      most = Math.max(most, running)
      await work()
      running -= 1
      return inHaste
    },
  })
  return { ...planned, begun, most: () => most }
}

it('begins at once after a rest, and no oftener than its rate', async () => {
  const rounds = counting(50)
  const askedAt = performance.now()
  for (let index = 0; index < 100; index += 1) rounds.schedule(0)
  await waitUntil(() => rounds.begun.length === 1)
  rounds.schedule(0)
  rounds.schedule(0)
  await waitUntil(() => rounds.begun.length === 2)
  const [first = 0, second = 0] = rounds.begun
  expect(first).toBeGreaterThanOrEqual(askedAt)
  // A timer may fire slightly early.
  expect(second - first).toBeGreaterThan(40)
  await rounds.stop()
})

it('an earlier request brings the run forward, and a later one does not delay it', async () => {
  const rounds = counting(0)
  rounds.schedule(3_600_000)
  rounds.schedule(0)
  rounds.schedule(3_600_000)
  await waitUntil(() => rounds.begun.length === 1)
  await rounds.stop()
})

it('runs one at a time, and once more for all requests that came meanwhile', async () => {
  const open = Promise.withResolvers<void>()
  const rounds = counting(0, () => open.promise)
  rounds.schedule(0)
  await waitUntil(() => rounds.begun.length === 1)
  rounds.schedule(0)
  rounds.schedule(0)
  open.resolve()
  await waitUntil(() => rounds.begun.length === 2)
  expect(rounds.most()).toBe(1)
  await rounds.stop()
})

it('stops after the current run, and begins no other', async () => {
  const open = Promise.withResolvers<void>()
  const rounds = counting(0, () => open.promise)
  rounds.schedule(0)
  await waitUntil(() => rounds.begun.length === 1)
  rounds.schedule(0)
  const stopped = rounds.stop()
  open.resolve()
  await stopped
  rounds.schedule(0)
  await setImmediate()
  expect(rounds.begun).toHaveLength(1)
})

it('an urgent request does not wait for the rate of normal runs, and keeps the rate of urgent ones', async () => {
  const others = counting(3_600_000)
  others.schedule(0)
  await waitUntil(() => others.begun.length === 1)
  others.schedule(0)
  others.schedule(0, true)
  await waitUntil(() => others.begun.length === 2)
  await others.stop()

  const alike = counting(50, undefined, true)
  alike.schedule(0)
  await waitUntil(() => alike.begun.length === 1)
  alike.schedule(0, true)
  await waitUntil(() => alike.begun.length === 2)
  const [first = 0, second = 0] = alike.begun
  expect(second - first).toBeGreaterThan(40)
  await alike.stop()
})
