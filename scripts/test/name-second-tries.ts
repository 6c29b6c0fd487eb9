import type { Reporter, TestCase } from 'vitest/node'

/** Vitest counts a test that passed at its second try as passed; it is named here, so that nothing is hidden. */
export default class NameSecondTries implements Reporter {
  onTestCaseResult(test: TestCase): void {
    if ((test.diagnostic()?.retryCount ?? 0) === 0) return
    console.log(`  needed a second try: ${test.module.relativeModuleId} > ${test.fullName}`)
  }
}
