import { useQuery } from '@tanstack/react-query'
import type { AdminPermission } from '#core/contract/accounts/admin-role.ts'
import { meQuery } from '#web/api/me.ts'

/**
 * Whether the signed-in administrator's role includes a permission; a screen hides what they may not do. Only the
 * server decides.
 */
export function useMay(permission: AdminPermission): boolean {
  return useQuery(meQuery).data?.permissions.includes(permission) ?? false
}
