import { z } from 'zod'

/** Lists what an administrator may do; a program reads the same names in `GET /api/v1/me`. */
export const ADMIN_ROLES = ['owner', 'finance', 'support', 'read_only'] as const
export const adminRoleSchema = z.enum(ADMIN_ROLES)
export type AdminRole = z.infer<typeof adminRoleSchema>

/**
 * `read`: every screen of the administration. `money`: balances, payments, returns and prices. `clients`: accounts and
 * their orders. `leads`: leads, sources, imports and the suppression list. `operations`: deliveries and messages.
 * `people`: administrators, other people's sign-in, and settings.
 */
export const ADMIN_PERMISSIONS = ['read', 'money', 'clients', 'leads', 'operations', 'people'] as const
export const adminPermissionSchema = z.enum(ADMIN_PERMISSIONS)
export type AdminPermission = z.infer<typeof adminPermissionSchema>

/** THE TABLE of what each role may do (docs/product.md §6). */
export const PERMISSIONS_OF: Readonly<Record<AdminRole, readonly AdminPermission[]>> = {
  owner: ADMIN_PERMISSIONS,
  finance: ['read', 'money'],
  support: ['read', 'clients', 'leads', 'operations'],
  read_only: ['read'],
}

/** The roles that include a permission. */
export function rolesWith(permission: AdminPermission): AdminRole[] {
  return ADMIN_ROLES.filter((role) => PERMISSIONS_OF[role].includes(permission))
}
