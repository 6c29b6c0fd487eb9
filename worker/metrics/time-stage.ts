import type { Stage } from '../queues/run-stage.ts'
import type { WorkerMetrics } from './create-metrics.ts'

/** Returns the stage so that the duration of each run is measured. */
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
