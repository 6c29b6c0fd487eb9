import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { isRunLost, RunLost } from '#worker/housekeeping/certifications/stop-run.ts'

it('tells a run that another worker has from one that failed while its lease was lost', async () => {
  const lost = new AbortController()
  const signal = AbortSignal.any([new AbortController().signal, lost.signal])
  const waiting = sleep(60_000, undefined, { signal }).catch((error: unknown) => error)
  lost.abort(new RunLost())

  expect(isRunLost(await waiting)).toBe(true)
  expect(isRunLost(signal.reason)).toBe(true)
  expect(isRunLost(new TypeError('a fault of the program'))).toBe(false)
})
