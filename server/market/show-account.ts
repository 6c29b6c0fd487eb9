import type { ClientAccount } from '#core/contract/market/client-account.ts'
import { findClientAccount } from '#core/data/market/client-accounts.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../context.ts'

/** @throws AppError not_found for an account that buys nothing */
export async function showAccount({ db }: Pick<ServerContext, 'db'>, userId: string): Promise<ClientAccount> {
  const account = await findClientAccount(db, userId)
  if (account === undefined) throw noAccount()
  return account
}

export function noAccount(): AppError {
  return new AppError('not_found', 'Only clients have an account with a balance.')
}
