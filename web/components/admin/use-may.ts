import { useQuery } from '@tanstack/react-query'
import type { Me } from '#core/contract/accounts/account.ts'
import type { AdminPermission } from '#core/contract/accounts/admin-role.ts'
import { meQuery } from '#web/api/me.ts'

/**
 * Whether the signed-in administrator's role includes a permission; a screen hides what they may not do. Only the
 * server decides.
 */
export function useMay(permission: AdminPermission): boolean {
  const me = useQuery(meQuery).data
  return me !== undefined && adminMay(me, permission)
}

/** The same of an administrator who is known. Those whom an earlier version gave no role may do everything. */
export function adminMay({ role, admin_role, permissions }: Me, permission: AdminPermission): boolean {
  return (role === 'admin' && admin_role === null) || permissions.includes(permission)
}
