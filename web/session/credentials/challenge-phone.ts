import { countOf } from '#web/format/count-of.ts'
import { authClient } from '../auth-client.ts'
import { describeAccountError } from './describe-account-error.ts'
import { takeRetryAfter } from './retry-after.ts'

export type Challenge = { result: 'sent'; id: string } | { result: 'refused'; message: string }

/** Sends a code to a phone that is, or is to become, a second factor. */
export async function challengePhone(factorId: string): Promise<Challenge> {
  const { data, error } = await authClient.mfa.challenge({ factorId })
  if (error === null) return { result: 'sent', id: data.id }
  const wait = error.status === 429 ? takeRetryAfter() : null
  const message =
    wait === null || wait > 60
      ? describeAccountError(error)
      : `A message was sent a moment ago. You can ask for another in ${countOf(wait, 'second')}.`
  return { result: 'refused', message }
}
