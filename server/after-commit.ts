import type { Logger } from '#core/telemetry/logger.ts'

/**
 * Work that follows a commit and that nobody waits for, except the process when it ends. Its failures are logged only.
 * @param failed what the log says of a failure
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
