import { Suspense, type ReactNode } from 'react'
import { matchPath, useLocation } from 'react-router-dom'
import type { MemberPermission } from '#core/contract/accounts/member-role.ts'
import { useMemberMay } from '#web/api/use-member-may.ts'
import { PATHS } from '#web/paths.ts'
import { lazyPart } from '../lazy-part.ts'

/** Loaded on demand, because almost nobody sees it. */
const RoleRefusal = lazyPart('RoleRefusal', async () => (await import('./RoleRefusal.tsx')).RoleRefusal)

/** The permission that each screen of an account needs; all other screens are about the person. */
const NEEDS: readonly (readonly [path: string, needs: MemberPermission])[] = [
  [PATHS.dashboard, 'figures'],
  [PATHS.analytics, 'figures'],
  [PATHS.enterpriseDashboard, 'figures'],
  [PATHS.leads, 'leads'],
  [PATHS.lead, 'leads'],
  [PATHS.doNotContact, 'leads'],
  [PATHS.doNotContactProof, 'leads'],
  [PATHS.orders, 'orders'],
  [PATHS.clientIntegrations, 'webhooks'],
  [PATHS.onboarding, 'account'],
]

/** Shows the screen, or says that the person's role in the account does not include it. */
export function RoleGate({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  const needs = NEEDS.find(([path]) => matchPath(path, pathname) !== null)?.[1]
  const may = useMemberMay(needs ?? 'figures')
  if (needs === undefined || may !== false) return children
  return (
    <Suspense>
      <RoleRefusal />
    </Suspense>
  )
}
