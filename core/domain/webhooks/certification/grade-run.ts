import type { Grade } from '#core/contract/webhooks/certification-grade.ts'
import type { CertificationStep, CertificationStepName } from '#core/contract/webhooks/certification.ts'

/** Each of these lets strangers write leads, or stores one twice: with one of them failed no grade is above C. */
const GRAVE: ReadonlySet<CertificationStepName> = new Set(['wrong_signature', 'duplicate'])
const GRADES: readonly Grade[] = ['A', 'B', 'C', 'D']
const BEST_WITH_GRAVE = 2

/** Grades a finished run by its failed cases; skipped ones do not count. */
export function gradeRun(steps: readonly CertificationStep[]): Grade {
  const failed = steps.filter(({ result }) => result === 'failed')
  const isGrave = failed.some(({ step }) => GRAVE.has(step))
  return GRADES[Math.max(failed.length, isGrave ? BEST_WITH_GRAVE : 0)] ?? 'F'
}
