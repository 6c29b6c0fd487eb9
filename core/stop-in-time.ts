import type { Logger } from './telemetry/logger.ts'

/** Runs one part of a stop, under the name that the log gives if it hangs or fails. */
export type WaitFor = (name: string, work: () => Promise<unknown>) => Promise<void>

/** For a stop without a time limit. */
export const waitPlainly: WaitFor = async (_name, work) => {
  await work()
}

/** The exit status of a process. */
export type ExitStatus = 0 | 1

/**
 * Stops a process within one limit for all parts, whatever hangs: a pool waits for ever for a frozen database. A part
 * that fails does not keep later parts from being stopped. One line of the log tells how it ended.
 * @param order.name the process, as that line calls it
 * @param stop waits for each part with the given function
 * @returns 0 if every part has stopped, otherwise 1
 */
export async function stopInTime(
  order: { name: string; limitMs: number; logger: Pick<Logger, 'info' | 'error'> },
  stop: (waitFor: WaitFor) => Promise<void>,
): Promise<ExitStatus> {
  const { name, limitMs, logger } = order
  const underWay = new Set<string>()
  const failures: { part: string; error: unknown }[] = []
  const waitFor: WaitFor = async (part, work) => {
    underWay.add(part)
    try {
      await work()
    } catch (error) {
      failures.push({ part, error })
    } finally {
      underWay.delete(part)
    }
  }

  let limit: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    limit = setTimeout(resolve, limitMs, true)
  })
  const stopped = stop(waitFor).catch((error: unknown) => failures.push({ part: 'the stop', error }))
  const isLate = await Promise.race([stopped.then(() => false), late])
  clearTimeout(limit)
  if (!isLate && failures.length === 0) {
    logger.info(`${name} stopped`)
    return 0
  }
  const [hung, failed] = [[...underWay], failures.map(({ part }) => part)]
  const words = [
    ...(isLate ? [`did not stop within ${limitMs / 1000} s and ends all the same`] : ['stopped']),
    ...(hung.length > 0 ? [`hung: ${hung.join(', ')}`] : []),
    ...(failed.length > 0 ? [`failed: ${failed.join(', ')}`] : []),
  ]
  logger.error({ hung, failed, err: failures[0]?.error }, `${name} ${words.join('; ')}`)
  return 1
}
