import type { AttemptRow } from '../read-logs.ts'
import type { Figure } from '../scenario.ts'

/**
 * Conclusions of scenarios from the delivery log. Each returns faults in words; never meeting the injected
 * fault is a fault too.
 */

/**
 * S10, S11: exchanges with these endpoints end at the limit. Two busy cores may fire a timer late, so
 * `longestMs` allows for that.
 */
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
 * S12: each odd answer counts as expected, by endpoint.
 * @param attempts made while the endpoints answered like this
 * @param expected success or failure, by the name of the behaviour; `endpoint` is the one that shows it
 * @param kept bytes of the longest stored body, and the limit
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

/**
 * S13: a throttled delivery waits as long as the endpoint asked, no less than its schedule, and a day at
 * most.
 */
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

/** S22, S23: each of these endpoints was refused with the error class of its fault. */
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
