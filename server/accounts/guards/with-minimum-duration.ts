import { setTimeout as wait } from 'node:timers/promises'
import type { AuthContext } from '../auth-context.ts'

/** Answers or refuses no sooner than AUTH_EVEN_MS: the duration must not tell whether there is an account. */
export async function withMinimumDuration<Result>(
  { config }: Pick<AuthContext, 'config'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const least = wait(config.auth.evenMs)
  try {
    return await work()
  } finally {
    await least
  }
}
