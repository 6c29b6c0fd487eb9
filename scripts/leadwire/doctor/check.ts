/** `doubtful`: worth a look, but no reason to wake somebody. */
export type CheckResult = 'fine' | 'doubtful' | 'wrong'

/** A finding of `doctor`: what was looked at, what was found, and what to do. */
export interface Finding {
  check: string
  result: CheckResult
  /** without secrets: names, versions and numbers */
  found: string
  /** left out if there is nothing to do */
  advice?: string
}

export const fine = (check: string, found: string): Finding => ({ check, result: 'fine', found })
export const doubtful = (check: string, found: string, advice: string): Finding => ({
  check,
  result: 'doubtful',
  found,
  advice,
})
export const wrong = (check: string, found: string, advice: string): Finding => ({
  check,
  result: 'wrong',
  found,
  advice,
})
