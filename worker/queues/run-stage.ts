import { UnrecoverableError, type Job, type Processor } from 'bullmq'
import { ZodError } from 'zod'
import { isLockTimeout } from '#core/data/is-lock-timeout.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import type { Logger } from '#core/telemetry/logger.ts'

/**
 * The result of a stage: the job is done, or is given up. PostgreSQL knows of the latter by then, and the job stays among the failed ones.
 */
export type StageResult = { next: 'done' } | { next: 'given_up'; cause: unknown }

/** One stage of the pipeline. It throws only for failures of ours; those are repeated with backoff. */
export type Stage = (job: Job<unknown>) => Promise<StageResult>

/** Pause before BullMQ repeats a job that failed for a reason of ours: 0.5 s doubling to 5 s, ±50 %. */
export function repeatDelayMs(attemptsMade: number): number {
  return Math.min(500 * 2 ** Math.min(attemptsMade - 1, 4), 5000) * (0.5 + Math.random())
}

/** Turns a stage into BullMQ's processor: the one place where its failures are logged, with ids only. */
export function runStage(stage: Stage, logger: Logger): Processor<unknown, undefined> {
  return async function processJob(job) {
    let result: StageResult
    try {
      result = await stage(job)
    } catch (error) {
      const fields = { err: error, job_id: job.id, queue: job.queueName, tries: job.attemptsMade + 1 }
      if (error instanceof ZodError) {
        // Poison: no repeat can mend data that is not ours; the row in PostgreSQL, if any, is found there.
        logger.error(fields, 'a job holds data that is not a job of ours; dropped')
        return undefined
      }
      // Nobody's fault, and many may wait for one row: without the whole error of each.
      if (isLockTimeout(error)) {
        const { err: _error, ...which } = fields
        logger.warn(which, 'somebody has locked what a job needs; it is repeated')
      } else logger.error(fields, 'a stage failed and will be repeated')
      // BullMQ keeps the words of an error in Redis and shows them to whoever looks at the queue.
      throw new Error(describeError(error)?.message ?? 'unknown', { cause: error })
    }
    if (result.next === 'given_up') {
      logger.error({ err: result.cause, job_id: job.id, queue: job.queueName }, 'a job was given up')
      throw new UnrecoverableError(describeError(result.cause)?.message ?? 'unknown')
    }
    return undefined
  }
}
