import { describe, expect, onTestFinished, test } from 'vitest'
import {
  askMemory,
  judgeGrowth,
  measureGrowth,
  TELL_MEMORY,
  type MemoryReading,
} from '#scripts/chaos/memory.ts'
import { startProcess, type LabProcess } from '#scripts/lab/start-process.ts'
import { waitUntil } from '#tests/support/condition.ts'

/** One reading every 5 s for five minutes. */
function readings(held: (seconds: number) => number, resident = held): MemoryReading[] {
  return Array.from({ length: 60 }, (_unused, index) => {
    const seconds = index * 5
    return { seconds, held: held(seconds), resident: resident(seconds) }
  })
}

describe('the report of a soak', () => {
  test('is flat if caches fill at first and garbage comes and goes', () => {
    const growth = measureGrowth(
      readings((seconds) => 100 + Math.min(seconds, 60) + (seconds % 25) / 5),
      400,
    )

    expect(growth.held).toBeCloseTo(64)
    expect(growth.peak).toBeCloseTo(300)
    expect(growth.heldCreep).toBe(0)
    expect(Math.abs(growth.heldPerHour)).toBeLessThan(50)
  })

  test('climbs if a kilobyte of each lead is kept', () => {
    const growth = measureGrowth(
      readings((seconds) => 100 + seconds / 10),
      400,
    )

    expect(growth.heldCreep).toBeCloseTo(10)
    expect(growth.heldPerHour).toBeCloseTo(360)
  })

  test('climbs if only native memory grows', () => {
    const growth = measureGrowth(
      readings(
        () => 100,
        (seconds) => 300 + seconds,
      ),
      600,
    )

    expect(growth.heldCreep).toBe(0)
    expect(growth.residentCreep).toBeCloseTo(100)
  })

  test('is unknown if there are too few readings', () => {
    expect(measureGrowth([], -Infinity).heldCreep).toBeNaN()
  })
})

describe('a real process', () => {
  async function start(grows: string): Promise<LabProcess> {
    const victim = await startProcess({
      script: 'tests/support/processes/growing-process.ts',
      env: { GROWS: grows },
      preloads: [TELL_MEMORY],
      isReady: 'growing process ready',
    })
    onTestFinished(() => victim.kill())
    return victim
  }

  test.each(['heap', 'buffers'])(
    'that keeps its objects climbs: %s',
    async (grows) => {
      const victim = await start(grows)
      const first = await askMemory(victim)
      await waitUntil(async () => (await askMemory(victim)).held > first.held + 20)
    },
    60_000,
  )

  test('that only creates garbage is flat', async () => {
    const victim = await start('nothing')
    const first = await askMemory(victim)
    for (let asked = 0; asked < 20; asked += 1) {
      const { held } = await askMemory(victim)
      expect(held).toBeLessThan(first.held + 10)
    }
  }, 60_000)
})

test('growth is judged for each process that has a limit', () => {
  const figures: Record<string, string> = {}
  const growth = { held: 30, peak: Number.NaN, heldCreep: 7, residentCreep: -4, heldPerHour: 0 }
  const faults = judgeGrowth(growth, { held: 20, peak: 100, heldCreep: 3 }, 2, (name, value) => {
    figures[name] = value
  })

  expect(faults).toEqual(['memory, held, creep: +7.0 MB is over the limit of 6 MB'])
  expect(figures).toEqual({
    'memory, held at most': '+30.0 MB',
    'memory, held, creep': '+7.0 MB',
    'memory, resident, creep': '-4.0 MB',
  })
})

test('a missing figure counts as over its limit, except for a peak without /proc', () => {
  const unknown = { held: Number.NaN, peak: Number.NaN, heldCreep: Number.NaN, residentCreep: Number.NaN }
  const limits = { held: 20, peak: 100, heldCreep: 3 }
  expect(judgeGrowth({ ...unknown, heldPerHour: 0 }, limits, 2, () => undefined)).toEqual([
    'memory, held at most: it was never read',
    'memory, held, creep: it was never read',
  ])
})
