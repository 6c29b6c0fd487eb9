import { MEMBER_ROLE_WORDS } from '#core/contract/accounts/member-role-words.ts'
import {
  memberRolesWith,
  PERMISSIONS_OF_MEMBER,
  type MemberPermission,
} from '#core/contract/accounts/member-role.ts'
import { AppError } from '#core/errors.ts'
import type { Principal } from './find-live-session.ts'

/** The permission that a route asks of a person's role in the account; `self`: none, because it is about the person. */
export type May = MemberPermission | 'self'

/**
 * THE answer to "whose rows, and may this person?": lets a person act for the account, as far as the role reaches. An
 * agent gets `member_user_id`, by which every query narrows its rows.
 * @throws AppError forbidden for a role without the permission
 */
export function actForAccount(principal: Principal, may: May): Principal {
  if (may === 'self') return principal
  const { account_id, member_role, person_id } = principal
  if (!PERMISSIONS_OF_MEMBER[member_role].includes(may)) throw lacksRole(principal, may)
  return {
    ...principal,
    user_id: account_id,
    ...(member_role === 'agent' && { member_user_id: person_id }),
  }
}

function lacksRole({ member_role }: Principal, may: MemberPermission): AppError {
  const roles = memberRolesWith(may).map((role) => MEMBER_ROLE_WORDS[role])
  const named = [roles.slice(0, -1).join(', '), ...roles.slice(-1)].filter(Boolean).join(' or ')
  const yours = MEMBER_ROLE_WORDS[member_role]
  return new AppError('forbidden', `This needs the role ${named} in the account. Yours is ${yours}.`)
}
