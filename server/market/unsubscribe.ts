import type { AccountNotices } from '#core/contract/market/client-account.ts'
import { changeClientAccount, lockClientAccount } from '#core/data/market/client-accounts.ts'
import { readUnsubscription } from '#core/secrets/unsubscribe-token.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../context.ts'

/**
 * Ends one kind of mail for the client whom the token of a mail's link names. A repeat changes nothing.
 * @returns the kind
 * @throws AppError not_found for a token that was not signed here, or whose account is gone
 */
export async function unsubscribe(
  { db, unsubscribeKeys }: Pick<ServerContext, 'db' | 'unsubscribeKeys'>,
  token: string,
): Promise<keyof AccountNotices> {
  const named = readUnsubscription(unsubscribeKeys, token)
  if (named === undefined) throw notFound()
  const { user_id, notice } = named
  await db.transaction().execute(async (trx) => {
    const account = await lockClientAccount(trx, user_id)
    if (account === undefined) throw notFound()
    if (!account.notices[notice]) return
    await changeClientAccount(trx, user_id, {
      notices: JSON.stringify({ ...account.notices, [notice]: false }),
    })
  })
  return notice
}

function notFound(): AppError {
  return new AppError('not_found', 'This link is not valid. Choose your mails in the settings instead.')
}
