import type { Logger } from '#core/telemetry/logger.ts'

/**
 * Runs work after a commit that no caller waits for; only the process waits when it ends. Failures are only
 * logged.
 * @param failed the log's text for a failure
 */
export function createAfterCommit(
  logger: Logger,
  failed: string,
): {
  run: (work: () => Promise<unknown>) => void
  settled: () => Promise<void>
} {
  const underWay = new Set<Promise<void>>()
  return {
    run: (work) => {
      const task = work().then(
        () => undefined,
        (error: unknown) => {
          logger.warn({ err: error }, failed)
        },
      )
      underWay.add(task)
      void task.finally(() => underWay.delete(task))
    },
    settled: async () => {
      await Promise.all(underWay)
    },
  }
}
