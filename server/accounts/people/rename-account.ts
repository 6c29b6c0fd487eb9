import type { Me } from '#core/contract/accounts/account.ts'
import { changeName, readMe } from '#core/data/accounts/profiles.ts'
import { cleanText } from '#core/domain/clean-text.ts'
import { AppError } from '#core/errors.ts'
import type { Caller } from '#server/identity/caller.ts'
import { writeAudit } from '../audit/audit-log.ts'
import type { Principal } from '#server/identity/find-live-session.ts'
import type { ServerContext } from '#server/context.ts'

/**
 * Changes the name of the caller's account.
 * @throws AppError validation_failed if nothing is left of it without markup
 */
export async function renameAccount(
  context: ServerContext,
  caller: Principal,
  given: string,
  from: Caller,
): Promise<Me> {
  const name = cleanText(given)
  if (name === '') {
    throw new AppError('validation_failed', 'The body has 1 fault(s).', {
      errors: [{ path: 'name', message: 'Name is required' }],
    })
  }
  const { user_id, session_id } = caller
  return await context.db.transaction().execute(async (trx) => {
    await changeName(trx, user_id, name)
    await writeAudit(trx, {
      action: 'user_updated',
      user_id,
      session_id,
      caller: from,
      details: { changed: 'name' },
    })
    const me = await readMe(trx, caller)
    if (me === undefined) throw new AppError('invalid_token', 'The account of this access token is gone.')
    return me
  })
}
