import type { RestCall } from './rest-call.ts'
import { notPermitted, RestError } from './rest-error.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * A row belongs to the account of the caller, whom a body may name by the account's id or the caller's own.
 * @throws RestError 42501 for anybody else
 */
export function refuseOthers({ caller, table }: RestCall, values: Values, columns: readonly string[]): void {
  const own = new Set<unknown>([caller.user_id, caller.person_id, null, undefined])
  const others = columns.filter((name) => {
    const value = values[name]
    return !own.has(typeof value === 'string' ? value.toLowerCase() : value)
  })
  if (others.length === 0) return
  throw notPermitted(`new row violates row-level security policy for table "${table}"`, {
    hint: `${others.join(' and ')} must be your own user id.`,
  })
}

/** The server chooses ids. @throws RestError 428C9 */
export function refuseIdOf(values: Values): void {
  if (values['id'] === undefined || values['id'] === null) return
  throw new RestError(400, '428C9', 'cannot insert a non-DEFAULT value into column "id"')
}
