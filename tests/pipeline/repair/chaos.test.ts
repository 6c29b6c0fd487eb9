import { expect, test } from 'vitest'
import { runScenario } from '#scripts/chaos/run-scenario.ts'
import { SHORT_SET } from '#scripts/chaos/scenarios/short-set.ts'

/** The short form of `npm run chaos`: real processes and services, small numbers, the same ledger checker. */
for (const scenario of SHORT_SET) {
  test.concurrent(`nothing is lost after: ${scenario.name}`, async () => {
    const { faults, verdict } = await runScenario(scenario, 'quick')

    expect(faults).toEqual([])
    expect(verdict).toMatchObject({ lost: 0, violations: [] })
    expect(verdict?.delivered).toBe(verdict?.acked)
    expect(verdict?.acked).toBeGreaterThan(100)
  }, 300_000)
}
