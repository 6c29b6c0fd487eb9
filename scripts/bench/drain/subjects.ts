import type { Subject } from './rig.ts'

/** Other job queues, beside the whole pipeline. */
export const BASELINES: readonly Subject[] = [
  'pipeline',
  'graphile-worker, whole work',
  'pg-boss, whole work',
  'graphile-worker, one by one',
  'pg-boss, one by one',
  'graphile-worker',
  'pg-boss',
]

/** The bare loop in its forms, beside the whole pipeline. */
export const LOOPS: readonly Subject[] = [
  'bare loop',
  'pipeline',
  'bare loop, many ids a job',
  'bare loop, got',
]
