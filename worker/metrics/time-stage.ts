import type { Stage } from '../queues/run-stage.ts'
import type { WorkerMetrics } from './create-metrics.ts'

/** The same stage, and how long each run of it took. */
export function timeStage(metrics: WorkerMetrics, name: string, stage: Stage): Stage {
  return async (job) => {
    const startedAt = performance.now()
    let outcome: 'done' | 'error' = 'error'
    try {
      const result = await stage(job)
      outcome = result.next === 'given_up' ? 'error' : result.next
      return result
    } finally {
      metrics.observeStage(name, outcome, (performance.now() - startedAt) / 1000)
    }
  }
}
