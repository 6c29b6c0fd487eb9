import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { environmentSchema } from '#core/config/variables.ts'
import { SHARE } from '#core/fairness/limits.ts'

/** libuv leaves look-ups half of its threads, so that what else they do goes on. */
const PART_OF_LOOK_UPS = 1 / 2

test.each([
  ['package.json', 2],
  ['Dockerfile', 1],
  ['scripts/start/start-programs.ts', 1],
])(
  'a worker that %s starts has a thread for each name that may be silent, so that no other name waits',
  (file, times) => {
    const threads = [...readFileSync(file, 'utf8').matchAll(/UV_THREADPOOL_SIZE\D*(\d+)/g)].map(([, count]) =>
      Number(count),
    )
    const slots = environmentSchema.shape.WEBHOOK_CONCURRENCY.parse(undefined)
    expect(threads).toHaveLength(times)
    expect(Math.min(...threads) * PART_OF_LOOK_UPS).toBeGreaterThanOrEqual(
      slots * (SHARE.partOfNew + SHARE.partOfSlow),
    )
  },
)
