import { describe, expect, test } from 'vitest'
import { emptyLatency, latencyAt, LATENCY_STEPS_MS, latencyStep } from '#core/domain/webhooks/latency.ts'

function histogramOf(durations: readonly number[]): number[] {
  const histogram = emptyLatency()
  for (const ms of durations) histogram[latencyStep(ms)] = (histogram[latencyStep(ms)] ?? 0) + 1
  return histogram
}

describe('latency', () => {
  test('an empty histogram has no median', () => {
    expect(latencyAt(emptyLatency(), 0.5)).toBeNull()
  })
  test('a duration at the end of a step belongs to it, one above to the next', () => {
    expect(latencyStep(10)).toBe(0)
    expect(latencyStep(10.5)).toBe(1)
    expect(latencyStep(30_001)).toBe(LATENCY_STEPS_MS.length)
  })
  test('the median of attempts in one step lies in its middle', () => {
    expect(latencyAt(histogramOf([60, 70, 80, 90]), 0.5)).toBe(75)
  })
  test('a share of attempts that are quick but for few is found in the step that holds it', () => {
    const histogram = histogramOf([...Array<number>(95).fill(15), ...Array<number>(5).fill(4000)])
    expect(latencyAt(histogram, 0.5)).toBeLessThanOrEqual(20)
    expect(latencyAt(histogram, 0.99)).toBeGreaterThan(2000)
  })
  test('a value above the last step counts as that step’s end', () => {
    expect(latencyAt(histogramOf([45_000]), 0.5)).toBe(30_000)
  })
})
