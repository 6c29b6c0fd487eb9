import { startProcess, type LabProcess } from '#scripts/lab/start-process.ts'
import { BARE_BODY } from '../prepare.ts'
import type { BenchContext } from '../services.ts'

/** Starts a process that posts and logs for each of its jobs. */
export function startLoop(
  context: BenchContext,
  script: string,
  readyText: string,
  more: Record<string, string> = {},
): Promise<LabProcess> {
  const env = {
    ...context.env,
    BENCH_RECEIVER: `${context.receiver.url}/leads/0`,
    BENCH_BODY: BARE_BODY,
    ...more,
  }
  return startProcess({ ...context.manner, script, env, isReady: readyText })
}
