import type { MemberRole } from './member-role.ts'

/** The roles of an account's people in words, as screens, mails and refusals show them. */
export const MEMBER_ROLE_WORDS: Readonly<Record<MemberRole, string>> = {
  owner: 'owner',
  manager: 'manager',
  agent: 'agent',
  finance: 'finance',
  none: 'none',
}
