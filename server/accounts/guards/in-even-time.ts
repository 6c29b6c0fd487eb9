import { setTimeout as wait } from 'node:timers/promises'
import { EVEN_MS } from '../auth-policy.ts'

/** Answers or refuses no sooner than {@link EVEN_MS}: how long it takes must not tell whether there is an account. */
export async function inEvenTime<Result>(work: () => Promise<Result>): Promise<Result> {
  const least = wait(EVEN_MS)
  try {
    return await work()
  } finally {
    await least
  }
}
