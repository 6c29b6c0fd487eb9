import { UnrecoverableError, type Job, type Processor } from 'bullmq'
import { ZodError } from 'zod'
import { isLockTimeout } from '#core/data/is-lock-timeout.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import type { Logger } from '#core/telemetry/logger.ts'

/**
 * The result of a stage: the job is done or given up. PostgreSQL already knows of a job that was given up, and BullMQ
 * keeps it among the failed jobs.
 */
export type StageResult = { next: 'done' } | { next: 'given_up'; cause: unknown }

/** One stage of the pipeline. It throws only for failures on our side; those are repeated with backoff. */
export type Stage = (job: Job<unknown>) => Promise<StageResult>

/** Pause before BullMQ repeats a job that failed on our side: 0.5 s doubling to 5 s, ±50 %. */
export function repeatDelayMs(attemptsMade: number): number {
  return Math.min(500 * 2 ** Math.min(attemptsMade - 1, 4), 5000) * (0.5 + Math.random())
}

/** Turns a stage into BullMQ's processor. Its failures are logged here and nowhere else, with ids only. */
export function runStage(stage: Stage, logger: Logger): Processor<unknown, undefined> {
  return async function processJob(job) {
    let result: StageResult
    try {
      result = await stage(job)
    } catch (error) {
      const fields = { err: error, job_id: job.id, queue: job.queueName, tries: job.attemptsMade + 1 }
      if (error instanceof ZodError) {
        // A poisoned job: its data are not ours, and no repeat can fix them. If there is a row in PostgreSQL, the relay
        // finds it.
        logger.error(fields, 'a job holds data that is not a job of ours; dropped')
        return undefined
      }
      // Nobody is at fault, and many jobs may wait for one row, so the whole error is not logged for each job.
      if (isLockTimeout(error)) {
        const { err: _error, ...which } = fields
        logger.warn(which, 'somebody has locked what a job needs; it is repeated')
      } else logger.error(fields, 'a stage failed and will be repeated')
      // BullMQ keeps an error's message in Redis and shows it on the queue dashboard.
      throw new Error(describeError(error)?.message ?? 'unknown', { cause: error })
    }
    if (result.next === 'given_up') {
      logger.error({ err: result.cause, job_id: job.id, queue: job.queueName }, 'a job was given up')
      throw new UnrecoverableError(describeError(result.cause)?.message ?? 'unknown')
    }
    return undefined
  }
}
