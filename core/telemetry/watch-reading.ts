import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { Gauge, type Registry } from 'prom-client'

/** A reading that takes longer has no value, so that one silent store does not keep a scrape from the others. */
const LONGEST_MS = 5000

type Labels = Readonly<Record<string, string>>

/** Gauges of one reading, whose values are read only when they are scraped. */
export interface ReadGauges<Reading> {
  gauge: (name: string, help: string, value: (reading: Reading) => number) => void
  /** a gauge with one value for each value of its labels */
  gaugeBy: (
    name: string,
    help: string,
    labelNames: readonly string[],
    values: (reading: Reading) => Iterable<readonly [Labels, number]>,
  ) => void
}

/**
 * Gauges that are read together at a scrape. If the reading fails they have no value rather than an old one.
 * @param options.keptMs milliseconds for which a reading is kept, however often it is scraped
 */
export function watchReading<Reading extends object>(
  registry: Registry,
  options: { keptMs: number; read: () => Promise<Reading> },
): ReadGauges<Reading> {
  const kept = new LRUCache<'reading', Reading>({
    max: 1,
    ttl: options.keptMs,
    fetchMethod: () => options.read(),
  })
  const gaugeBy: ReadGauges<Reading>['gaugeBy'] = (name, help, labelNames, values) => {
    const made: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect: async () => {
        // A reset of a gauge without labels would make it 0.
        if (labelNames.length === 0) made.remove()
        else made.reset()
        const fetched = kept.fetch('reading').catch(() => undefined)
        const reading = await Promise.race([fetched, sleep(LONGEST_MS, undefined, { ref: false })])
        if (reading === undefined) return
        for (const [labels, value] of values(reading)) made.set(labels, value)
      },
    })
  }
  return {
    gauge: (name, help, value) => {
      gaugeBy(name, help, [], (reading) => [[{}, value(reading)]])
    },
    gaugeBy,
  }
}
