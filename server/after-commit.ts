import type { Logger } from '#core/logger.ts'

/**
 * Work that follows a commit and that nobody waits for, except the process when it ends. Its failures are logged only: what
 * it would have told Redis, the relay and the reconciler find in PostgreSQL.
 */
export function createAfterCommit(logger: Logger): {
  run: (work: () => Promise<unknown>) => void
  settled: () => Promise<void>
} {
  const underWay = new Set<Promise<void>>()
  return {
    run: (work) => {
      const task = work().then(
        () => undefined,
        (error: unknown) => {
          logger.warn({ err: error }, 'redis did not take what was committed; it is found in the database')
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
