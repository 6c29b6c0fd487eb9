import { writeToConsole } from './silence-console.ts'

export interface FailureReport {
  errorId: string
  message: string
  stack: string | undefined
  timestamp: string
  url: string
  userAgent: string
}

const USER_AGENT_LENGTH = 100
const reported = new WeakMap<object, string>()

/**
 * Writes a failure to the console, once for each error (docs/product.md §2). Returns the id that the screen
 * shows.
 */
export function reportFailure(level: 'application' | 'section', error: unknown): string {
  const failure = error instanceof Error ? error : new Error(describe(error))
  const known = reported.get(failure)
  if (known !== undefined) return known
  const errorId = crypto.randomUUID()
  reported.set(failure, errorId)
  const report: FailureReport = {
    errorId,
    message: failure.message,
    stack: failure.stack,
    timestamp: new Date().toISOString(),
    url: location.href,
    userAgent: navigator.userAgent.slice(0, USER_AGENT_LENGTH),
  }
  writeToConsole(`Leadwire ${level} failure`, report)
  return errorId
}

function describe(error: unknown) {
  return typeof error === 'string' ? error : 'A value that is not an error was thrown'
}
