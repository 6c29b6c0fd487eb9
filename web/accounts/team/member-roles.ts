import { MEMBER_ROLE_WORDS } from '#core/contract/accounts/member-role-words.ts'
import { mayManage, type GivenRole, type MemberRole } from '#core/contract/accounts/member-role.ts'
import { words } from '#web/format/words.ts'

const HINTS: Readonly<Record<GivenRole, string>> = {
  owner: 'Everything, with balance, people and business',
  manager: 'All leads, orders and webhooks; invites agents',
  agent: 'Their own leads, orders and webhooks',
  finance: 'Balance, payments and figures; no leads',
}

export function nameMemberRole(role: MemberRole) {
  return words(MEMBER_ROLE_WORDS[role])
}

/** The roles that somebody with this role may give, each with what it includes. */
export function listGivenRoles(own: MemberRole) {
  return (Object.keys(HINTS) as GivenRole[])
    .filter((role) => mayManage(own, role))
    .map((role) => ({ value: role, label: nameMemberRole(role), hint: HINTS[role] }))
}
