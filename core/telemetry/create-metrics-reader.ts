import { setTimeout as sleep } from 'node:timers/promises'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import type { Build } from '../config/config.ts'

/** The event loop is measured every 10 ms, so that the first reading has some values. */
const FIRST_LOOK_MS = 50

/**
 * Creates a reader of metrics in Prometheus' format. Node's metrics of the process (memory, event loop, garbage) are
 * included from the first reading on, and not measured before it. Measuring the event loop wakes a process a hundred
 * times a second, which was a third of an idle system's cost.
 */
export function createMetricsReader(registry: Registry, build: Build): () => Promise<string> {
  new Gauge({
    name: 'leadwire_build_info',
    help: '1, labelled with the release that runs and, where BUILD_REVISION says it, what it was built from',
    labelNames: ['version', 'revision'],
    registers: [registry],
  }).set({ revision: '', ...build }, 1)
  let watching: Promise<void> | undefined

  async function watchProcess(): Promise<void> {
    collectDefaultMetrics({ register: registry })
    await sleep(FIRST_LOOK_MS)
  }

  return async () => {
    watching ??= watchProcess()
    await watching
    return await registry.metrics()
  }
}
