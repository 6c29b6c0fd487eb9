import { describe, expect, test } from 'vitest'
import { emptyLatency, latencyAt, LATENCY_STEPS_MS, latencyStep } from '#core/domain/webhooks/latency.ts'

function histogramOf(durations: readonly number[]): number[] {
  const histogram = emptyLatency()
  for (const ms of durations) histogram[latencyStep(ms)] = (histogram[latencyStep(ms)] ?? 0) + 1
  return histogram
}

describe('latency', () => {
  test('has no median in an empty histogram', () => {
    expect(latencyAt(emptyLatency(), 0.5)).toBeNull()
  })
  test('counts a duration at the end of a step in that step, and a longer one in the next', () => {
    expect(latencyStep(10)).toBe(0)
    expect(latencyStep(10.5)).toBe(1)
    expect(latencyStep(30_001)).toBe(LATENCY_STEPS_MS.length)
  })
  test('has a median in the middle of the step if all attempts are in one step', () => {
    expect(latencyAt(histogramOf([60, 70, 80, 90]), 0.5)).toBe(75)
  })
  test('has a quantile in the step that contains it', () => {
    const histogram = histogramOf([...Array<number>(95).fill(15), ...Array<number>(5).fill(4000)])
    expect(latencyAt(histogram, 0.5)).toBeLessThanOrEqual(20)
    expect(latencyAt(histogram, 0.99)).toBeGreaterThan(2000)
  })
  test('counts a value above the last step as the end of that step', () => {
    expect(latencyAt(histogramOf([45_000]), 0.5)).toBe(30_000)
  })
})
