import { z } from 'zod'

/**
 * The roles of a person in an account. `none`: its founder, who handed the account over and left; they keep their own
 * settings and nothing else.
 */
export const MEMBER_ROLES = ['owner', 'manager', 'agent', 'finance', 'none'] as const
export const memberRoleSchema = z.enum(MEMBER_ROLES)
export type MemberRole = z.infer<typeof memberRoleSchema>

/** The roles that an invitation or a change may give. */
export const GIVEN_ROLES = ['owner', 'manager', 'agent', 'finance'] as const
export const givenRoleSchema = z.enum(GIVEN_ROLES)
export type GivenRole = z.infer<typeof givenRoleSchema>

/**
 * `leads`: see and work leads, ask for returns. `orders`. `webhooks`: configurations, delivery logs and resends.
 * `figures`: dashboard, analytics, and what every screen of the account needs. `money`: balance, ledger, payments,
 * statements. `members`: the people of the account. `account`: its business, licences and everything else.
 */
export const MEMBER_PERMISSIONS = [
  'leads',
  'orders',
  'webhooks',
  'figures',
  'money',
  'members',
  'account',
] as const
export const memberPermissionSchema = z.enum(MEMBER_PERMISSIONS)
export type MemberPermission = z.infer<typeof memberPermissionSchema>

/** THE TABLE of what each role may do in its account (docs/product.md §6). An agent sees and changes own rows only. */
export const PERMISSIONS_OF_MEMBER: Readonly<Record<MemberRole, readonly MemberPermission[]>> = {
  owner: MEMBER_PERMISSIONS,
  manager: ['leads', 'orders', 'webhooks', 'figures', 'members'],
  agent: ['leads', 'orders', 'webhooks', 'figures'],
  finance: ['figures', 'money'],
  none: [],
}

/** The roles that include a permission. */
export function memberRolesWith(permission: MemberPermission): MemberRole[] {
  return MEMBER_ROLES.filter((role) => PERMISSIONS_OF_MEMBER[role].includes(permission))
}

/** Whether a person with this role may invite, change or remove somebody with that role. */
export function mayManage(own: MemberRole, other: MemberRole): boolean {
  return own === 'owner' || (own === 'manager' && other === 'agent')
}
