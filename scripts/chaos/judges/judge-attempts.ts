import type { AttemptRow } from '../read-logs.ts'
import type { Figure } from '../scenario.ts'

/** What scenarios conclude from the delivery log. Each fault in words; a scenario that met nothing of its fault has one too. */

/** S10, S11: exchanges with these endpoints end at the limit. Two busy cores may wake a timer late: `longestMs` has some air. */
export function judgeDeadline(
  attempts: readonly AttemptRow[],
  { endpoints, longestMs }: { endpoints: readonly number[]; longestMs: number },
  figure: Figure,
): string[] {
  const theirs = attempts.filter(({ endpoint }) => endpoints.includes(endpoint))
  const timeouts = theirs.filter(({ errorClass }) => errorClass === 'timeout')
  const longest = Math.max(0, ...theirs.map(({ tookMs }) => tookMs))
  figure('timeouts', String(timeouts.length))
  figure('longest exchange', `${longest} ms`)
  const unharmed = endpoints.filter((one) => timeouts.every(({ endpoint }) => endpoint !== one))
  return [
    ...unharmed.map((endpoint) => `nothing timed out at endpoint ${endpoint}: the scenario proved nothing`),
    ...(longest > longestMs ? [`an exchange took ${longest} ms`] : []),
  ]
}

/**
 * S12: what each odd answer counts as, by endpoint.
 * @param attempts made while the endpoints behaved so
 * @param expected success or failure, by the name of the behaviour; `endpoint` is where it is met
 * @param kept bytes of the longest body that was kept, and how many may be
 */
export function judgeOddAnswers(
  attempts: readonly AttemptRow[],
  expected: readonly { name: string; endpoint: number; outcome: 'success' | 'failure' }[],
  kept: { longest: number; limit: number },
  figure: Figure,
): string[] {
  const faults = expected.flatMap(({ name, endpoint, outcome }) => {
    const mine = attempts.filter((row) => row.endpoint === endpoint)
    const failures = mine.filter(({ errorClass }) => errorClass !== null)
    const classes = [...new Set(failures.map(({ errorClass }) => errorClass))].join(', ')
    figure(name, failures.length === 0 ? 'success' : classes)
    if (mine.length === 0) return [`${name} was never met: the scenario proved nothing`]
    if (outcome === 'success') return failures.length > 0 ? [`${name} counted as failure: ${classes}`] : []
    return failures.length === 0 ? [`${name} counted as success`] : []
  })
  figure('longest kept body', `${kept.longest} bytes`)
  if (kept.longest === 0) faults.push('no body was kept')
  if (kept.longest > kept.limit) faults.push(`a body of ${kept.longest} bytes was kept`)
  return faults
}

/** S13: who was throttled waits as long as it was asked to, no less than its schedule says, and a day at most. */
export function judgeThrottling(
  attempts: readonly AttemptRow[],
  asked: readonly { endpoint: number; leastSeconds: number; mostSeconds: number }[],
  figure: Figure,
): string[] {
  const throttled = attempts.filter(({ errorClass }) => errorClass === 'throttled')
  const waits = throttled.flatMap(({ endpoint, madeAt, nextAt }) =>
    nextAt === null ? [] : [{ endpoint, seconds: (nextAt - madeAt) / 1000 }],
  )
  figure('throttled attempts', String(throttled.length))
  figure('shortest wait', `${Math.min(...waits.map(({ seconds }) => seconds)).toFixed(1)} s`)
  return asked.flatMap(({ endpoint, leastSeconds, mostSeconds }) => {
    const mine = waits.filter((wait) => wait.endpoint === endpoint).map(({ seconds }) => seconds)
    if (mine.length === 0) return [`nothing waited for endpoint ${endpoint}: the scenario proved nothing`]
    const [shortest, longest] = [Math.min(...mine), Math.max(...mine)]
    return [
      ...(shortest < leastSeconds
        ? [`a wait of ${shortest.toFixed(2)} s for endpoint ${endpoint} is shorter than ${leastSeconds} s`]
        : []),
      ...(longest > mostSeconds
        ? [`a wait of ${longest.toFixed(2)} s for endpoint ${endpoint} is longer than ${mostSeconds} s`]
        : []),
    ]
  })
}

/** S22, S23: each of these endpoints was refused with the class that its fault has. */
export function judgeRefusals(
  attempts: readonly AttemptRow[],
  expected: readonly { name: string; endpoint: number; errorClass: string }[],
  figure: Figure,
): string[] {
  return expected.flatMap(({ name, endpoint, errorClass }) => {
    const mine = attempts.filter((row) => row.endpoint === endpoint)
    const seen = Map.groupBy(mine, (row) => row.errorClass ?? 'success')
    figure(name, [...seen].map(([what, rows]) => `${rows.length} ${what}`).join(', '))
    if (seen.has(errorClass)) return []
    return [`${name}: expected ${errorClass}, the log says ${[...seen.keys()].join(', ') || 'nothing'}`]
  })
}
