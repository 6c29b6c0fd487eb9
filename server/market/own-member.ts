import { memberRolesWith } from '#core/contract/accounts/member-role.ts'
import { lockMemberWith } from '#core/data/accounts/members-of-rows.ts'
import type { Db } from '#core/data/database.ts'
import { AppError } from '#core/errors.ts'
import type { Principal } from '../identity/find-live-session.ts'

type Caller = Pick<Principal, 'user_id' | 'member_user_id'>

/** Whether the caller may see and change a row: an agent only own rows, all others any of the account. */
export function isOwn({ member_user_id: own }: Caller, row: { member_user_id: string | null }): boolean {
  return own === undefined || row.member_user_id === own
}

/** Whose an `Idempotency-Key` is: an agent's answers no key of others with their row. */
export function keyOwnerOf({ user_id: account, member_user_id: own }: Caller): string {
  return own ?? account
}

/**
 * Whose a new or changed row is: an agent's is always the agent's own, and that of others whose they say. The person
 * cannot leave the account before the transaction ends.
 * @param wanted undefined if the caller did not say: shared
 * @throws AppError validation_failed for nobody of the account who works leads; forbidden for an agent who has just left
 */
export async function chooseMember(
  trx: Db,
  { user_id: account, member_user_id: own }: Caller,
  wanted: string | null | undefined,
): Promise<string | null> {
  if (own !== undefined) {
    if ((wanted ?? own) !== own) throw refuseMember('An agent’s orders and webhooks are the agent’s own')
    // Their removal would not find what a request of theirs that is under way makes.
    if (!(await lockMemberWith(trx, account, own, memberRolesWith('leads'))))
      throw new AppError('forbidden', 'You do not belong to this account any more.')
    return own
  }
  if (wanted === undefined || wanted === null) return null
  if (await lockMemberWith(trx, account, wanted, memberRolesWith('leads'))) return wanted
  throw refuseMember('Must be a person of your account who works leads')
}

function refuseMember(message: string): AppError {
  return new AppError('validation_failed', 'The body has 1 fault(s).', {
    errors: [{ path: 'member_user_id', message }],
  })
}
