import type { FunctionResult } from '#core/contract/accounts/account-functions.ts'
import { AuthError } from '../wire/auth-error.ts'

/** A refusal as the app reads it: in a 200, because functions-js hides the body of every other status. */
export function refused(reason: string): FunctionResult & { success: false } {
  return { success: false, message: reason, error: reason }
}

/** Turns the authentication service's refusals into answers; failures go on. */
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

/** The form of the functions that say no more than why. */
export function asResult({ message }: AuthError): FunctionResult & { success: false } {
  return refused(message)
}
