import { describe, expect, test } from 'vitest'
import { judgeBounds } from '#scripts/chaos/soak/judge-bounds.ts'
import { countByMinute } from '#scripts/chaos/soak/judge-promise.ts'
import type { ProcessSample, ServiceSample } from '#scripts/chaos/soak/sample-deployment.ts'

/** Ten seconds between looks, for half an hour. */
const SECONDS = Array.from({ length: 180 }, (_unused, index) => index * 10)

const service = (seconds: number, keys = 1000): ServiceSample => ({
  seconds,
  keys,
  redisMegabytes: 5,
  redisClients: 20,
  postgresConnections: 12,
  redisResident: 30,
})
const SERVICES = SECONDS.map((seconds) => service(seconds))

const lifeOf = (held: (seconds: number) => number, pidAt = (_seconds: number) => 1): ProcessSample[] =>
  SECONDS.map((seconds) => ({
    name: 'worker 2',
    pid: pidAt(seconds),
    seconds,
    held: held(seconds),
    resident: 200 + (seconds % 30) / 10,
    descriptors: 40,
  }))

describe('the bounds of a soak', () => {
  test('hold if caches fill in the first minutes and nothing climbs afterwards', () => {
    const figures: Record<string, string> = {}
    const processes = lifeOf((seconds) => 60 + Math.min(seconds, 300) / 10)

    const faults = judgeBounds({ processes, services: SERVICES }, (name, value) => {
      figures[name] = value
    })

    expect(faults).toEqual([])
    expect(figures['worker 2, an hour']).toMatch(/^-?\+?0\.\d MB held/)
    expect(figures['Redis keys']).toBe('1000 at most, 1000 at the end')
  })

  test('name a process that keeps ten kilobytes a second', () => {
    const processes = lifeOf((seconds) => 60 + seconds / 100)

    expect(judgeBounds({ processes, services: SERVICES }, () => undefined)).toEqual([
      'worker 2 held +36.0 MB more an hour',
    ])
  })

  test('say nothing of a process that never lived for long', () => {
    const processes = lifeOf(
      (seconds) => 60 + (seconds % 300),
      (seconds) => Math.floor(seconds / 300),
    )

    expect(judgeBounds({ processes, services: SERVICES }, () => undefined)).toEqual([])
  })

  test('name keys of Redis without end, and services that nobody looked at', () => {
    const services = [...SERVICES, service(1800, 20_001)]

    expect(judgeBounds({ processes: [], services }, () => undefined)).toEqual(['Redis had 20001 keys'])
    expect(judgeBounds({ processes: [], services: [] }, () => undefined)).toEqual([
      'the services were never looked at',
    ])
  })
})

test('late leads are counted by the minute in which they were accepted', () => {
  const waits = [61_000, 500, 119_999, 59_999].map((at) => ({ at: 1_000_000 + at }))

  expect(countByMinute(waits, 1_000_000)).toBe('2 in minute 0, 2 in minute 1')
})
