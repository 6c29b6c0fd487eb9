import { ConfigError } from '#core/config/config.ts'
import { isDatabaseAway } from '#core/data/is-database-away.ts'
import { AppError } from '#core/errors.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import { CommandError } from './failures.ts'

/** PostgreSQL refuses a session: wrong user, password or database, or too many connections. */
const REFUSED = /^(28P01|28000|3D000|53300)$/

/** Says in one line why a command could not do its work, without values, statements or personal data. */
export function explainFailure(error: unknown): string {
  if (error instanceof ConfigError || error instanceof CommandError) return error.message
  if (error instanceof AppError) return error.message
  if (!(error instanceof Error)) return 'Something that is no error was thrown'
  const code = 'code' in error ? String(error.code) : ''
  if (isDatabaseAway(error) || REFUSED.test(code) || error.message.startsWith('timeout exceeded'))
    return `DATABASE_URL: the database cannot be used: ${readWords(error)}`
  const told = describeError(error)
  return `${told?.type ?? 'Error'}: ${told?.message ?? ''}${told?.stack === undefined ? '' : `\n${told.stack}`}`
}

/** An error for a name with several addresses has a message for each address and none of its own. */
function readWords(error: Error): string {
  if (!(error instanceof AggregateError)) return error.message
  return (error.errors as Error[]).map(({ message }) => message).join('; ')
}
