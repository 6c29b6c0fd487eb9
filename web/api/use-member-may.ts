import { useQuery } from '@tanstack/react-query'
import type { Me } from '#core/contract/accounts/account.ts'
import type { MemberPermission } from '#core/contract/accounts/member-role.ts'
import { meQuery } from './me.ts'

/**
 * Whether the signed-in person's role in the account includes a permission; undefined until it is known. A screen hides
 * what they may not do. Only the server decides.
 */
export function useMemberMay(permission: MemberPermission): boolean | undefined {
  const me = useQuery(meQuery).data
  return me && memberMay(me, permission)
}

/** The same of a person who is known. */
export function memberMay(me: Me, permission: MemberPermission): boolean {
  // An owner may do everything. The permissions of administrators are those of the administration.
  return me.role === 'admin' || me.member_role === 'owner' || me.permissions.some((one) => one === permission)
}
