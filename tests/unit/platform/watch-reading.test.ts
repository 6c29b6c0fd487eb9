import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { watchReading } from '#core/telemetry/watch-reading.ts'
import { waitUntil } from '#tests/support/condition.ts'

const told = async (registry: Registry): Promise<string[]> =>
  (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))

function watch(keptMs: number) {
  const registry = new Registry()
  const source = { reads: 0, isAway: false, kinds: ['a', 'b'] }
  const { gauge, gaugeBy } = watchReading(registry, {
    keptMs,
    read: async () => {
      source.reads += 1
      if (source.isAway) throw new Error('away')
      return { depth: 7, kinds: [...source.kinds] }
    },
  })
  gauge('depth', 'How deep it is', ({ depth }) => depth)
  gaugeBy('kinds', 'How many there are of each', ['kind'], ({ kinds }) =>
    kinds.map((kind) => [{ kind }, 1] as const),
  )
  return { registry, source }
}

test('gauges share one reading, which is cached between scrapes', async () => {
  const { registry, source } = watch(60_000)
  expect(source.reads).toBe(0)
  await told(registry)
  expect(await told(registry)).toEqual(['depth 7', 'kinds{kind="a"} 1', 'kinds{kind="b"} 1'])
  expect(source.reads).toBe(1)
})

test('a failed reading has no value instead of an old one, and a removed label disappears', async () => {
  const { registry, source } = watch(1)
  await told(registry)
  source.kinds = ['b']
  await waitUntil(async () => !(await told(registry)).includes('kinds{kind="a"} 1'), { what: 'a being gone' })
  source.isAway = true
  await waitUntil(async () => (await told(registry)).length === 0, { what: 'all values being gone' })
  source.isAway = false
  await waitUntil(async () => (await told(registry)).includes('depth 7'), { what: 'the value being back' })
})
