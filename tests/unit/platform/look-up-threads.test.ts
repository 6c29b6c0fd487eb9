import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadConfig } from '#core/config/config.ts'
import { SHARE } from '#core/fairness/limits.ts'

const required = { DATABASE_URL: 'postgres://localhost/leadwire', REDIS_URL: 'redis://localhost' }

test.each([
  ['package.json', 2],
  ['Dockerfile', 1],
  ['scripts/start/start-programs.ts', 1],
])('a worker started by %s has a thread for each silent name, so that no other name waits', (file, times) => {
  const threads = [...readFileSync(file, 'utf8').matchAll(/UV_THREADPOOL_SIZE\D*(\d+)/g)].map(
    ([, count]) => count,
  )
  expect(threads).toHaveLength(times)
  for (const UV_THREADPOOL_SIZE of threads) {
    const { concurrency, unsureLookUps } = loadConfig({ ...required, UV_THREADPOOL_SIZE }).webhooks
    expect(unsureLookUps).toBeGreaterThanOrEqual(concurrency * (SHARE.partOfNew + SHARE.partOfSlow))
  }
})
