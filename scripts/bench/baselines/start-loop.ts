import { startChild, type Child } from '../child.ts'
import { BARE_BODY } from '../prepare.ts'
import type { BenchContext } from '../services.ts'

/** A process that posts and logs for each of its jobs. */
export function startLoop(
  context: BenchContext,
  script: string,
  readyText: string,
  more: Record<string, string> = {},
): Promise<Child> {
  const env = {
    ...context.env,
    BENCH_RECEIVER: `${context.receiver.url}/leads/0`,
    BENCH_BODY: BARE_BODY,
    ...more,
  }
  return startChild(script, env, readyText, context.profileFolder)
}
