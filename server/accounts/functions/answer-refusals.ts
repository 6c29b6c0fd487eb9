import type { FunctionResult } from '#core/contract/accounts/account-functions.ts'
import { AuthError } from '../wire/auth-error.ts'

/**
 * A refusal as the app reads it: with status 200, because functions-js hides the body of every other status.
 */
export function refused(reason: string): FunctionResult & { success: false } {
  return { success: false, message: reason, error: reason }
}

/** Turns refusals of the authentication service into answers; rethrows failures. */
export async function answerRefusals<Result, Refusal>(
  work: () => Promise<Result>,
  refuse: (error: AuthError) => Refusal,
): Promise<Result | Refusal> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AuthError && error.status < 500) return refuse(error)
    throw error
  }
}

/** The form for functions that return only a message. */
export function asResult({ message }: AuthError): FunctionResult & { success: false } {
  return refused(message)
}
