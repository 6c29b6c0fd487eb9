import type { KeptSpan } from './log-filter.ts'

/**
 * Margin of the span. Attempts begin while their delivery exists, but a worker that slept may have begun one late, and
 * clocks differ.
 */
const MARGIN_MS = 24 * 3600 * 1000

/**
 * The span of time in which deliveries can have been attempted, given as values, so that other weeks of the log are not
 * opened.
 */
export function deliverySpan(
  deliveries: ReadonlyArray<{ created_at: Date; finished_at: Date | null }>,
): KeptSpan {
  const begun = deliveries.map((delivery) => delivery.created_at.getTime())
  const ended = deliveries.map((delivery) => delivery.finished_at?.getTime() ?? Date.now())
  return {
    since: new Date(Math.min(...begun) - MARGIN_MS),
    until: new Date(Math.max(...ended) + MARGIN_MS),
  }
}
