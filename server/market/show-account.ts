import { PERMISSIONS_OF_MEMBER } from '#core/contract/accounts/member-role.ts'
import type { ClientAccount } from '#core/contract/market/client-account.ts'
import { findClientAccount } from '#core/data/market/client-accounts.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../context.ts'
import type { Principal } from '../identity/find-live-session.ts'

/**
 * The caller's account; a person who may not see money does not see how it is paid.
 * @throws AppError not_found for an account that buys nothing
 */
export async function showOwnAccount(
  context: Pick<ServerContext, 'db'>,
  { user_id, member_role }: Pick<Principal, 'user_id' | 'member_role'>,
): Promise<ClientAccount> {
  const account = await showAccount(context, user_id)
  if (PERMISSIONS_OF_MEMBER[member_role].includes('money')) return account
  return {
    ...account,
    auto_recharge_threshold: null,
    auto_recharge_amount: null,
    auto_recharge_monthly_max: null,
    auto_recharge_agreed_at: null,
    auto_recharge_terms: null,
    auto_recharge_stopped: null,
    saved_method: null,
  }
}

/** @throws AppError not_found for an account that buys nothing */
export async function showAccount({ db }: Pick<ServerContext, 'db'>, userId: string): Promise<ClientAccount> {
  const account = await findClientAccount(db, userId)
  if (account === undefined) throw noAccount()
  return account
}

export function noAccount(): AppError {
  return new AppError('not_found', 'Only clients have an account with a balance.')
}
