import type { Db } from '#core/data/database.ts'
import { normaliseEmail } from '#core/domain/accounts/validate-email.ts'
import { findUserByEmail } from '#server/accounts/people/data/users.ts'
import { isUuid } from '#server/identity/is-uuid.ts'
import { CommandError } from './failures.ts'

/** The id of an account that an operator names by its id or its address. @throws CommandError if no account has it */
export async function findAccount(db: Db, given: string): Promise<string> {
  if (isUuid(given)) return given
  const user = await findUserByEmail(db, normaliseEmail(given))
  if (user === undefined) throw new CommandError('No account has this e-mail address')
  return user.id
}
