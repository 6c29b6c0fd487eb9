import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** The process's own registry, so that two servers in one process (as in tests) do not share counters. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  return {
    registry,
    observe: (route: string, method: string, status: number, seconds: number) => {
      durations.observe({ route, method, status }, seconds)
    },
  }
}
