import type { ReactNode } from 'react'
import type { AdminPermission } from '#core/contract/accounts/admin-role.ts'
import { useMay } from './use-may.ts'

/** Shows a control to administrators whose role includes the permission. */
export function Allowed({ needs, children }: { needs: AdminPermission; children: ReactNode }) {
  return useMay(needs) ? children : null
}
