import { useQuery } from '@tanstack/react-query'
import type { MemberPermission } from '#core/contract/accounts/member-role.ts'
import { isInTrouble } from '#core/domain/webhooks/endpoint-status.ts'
import { meQuery } from '#web/api/me.ts'
import { memberMay } from '#web/api/use-member-may.ts'
import { newestLeadsQuery } from '#web/leads/lead-queries.ts'
import { endpointHealthQuery } from '#web/webhooks/queries/endpoint-health.ts'
import { checklistQuery, dashboardQuery } from '../market-queries.ts'
import { useBalance } from '../money-queries.ts'
import { sayState, type State } from './say-state.ts'

/** The dashboard's message before its numbers. A banner, the sentence or the list tells one problem once. */
export interface StateNow {
  /** whether everything that decides the notices is known */
  isReady: boolean
  /** the sentence; null if a banner says what is true now, or if it could not be loaded */
  state: State | null | undefined
  newest: string | undefined
  /** whether a condition for receiving leads is unmet and told nowhere else, or could not be loaded */
  hasObstacles: boolean
}

/** Obstacles that the banner of a failing endpoint tells. */
const OF_ENDPOINTS: readonly string[] = ['delivery_method', 'last_delivery']

export function useStateNow(): StateNow {
  const me = useQuery(meQuery).data
  const may = (permission: MemberPermission) => me !== undefined && memberMay(me, permission)
  const dashboard = useQuery(dashboardQuery)
  const checklist = useQuery({ ...checklistQuery, enabled: me?.role === 'client' && may('orders') })
  const health = useQuery({ ...endpointHealthQuery, enabled: may('webhooks') })
  const leadList = useQuery({ ...newestLeadsQuery, enabled: may('leads') })
  const newest = leadList.data?.find(({ is_test }) => !is_test)?.created_at
  const balance = useBalance()
  const isReady =
    (balance.isNone || !balance.isPending) &&
    ![dashboard, checklist, health, leadList].some(({ isLoading }) => isLoading)
  const { setup, leads } = dashboard.data ?? {}
  const isFailing = (health.data ?? []).some(isInTrouble)
  const isPaused = (health.data ?? []).some((one) => one.sending_pause_reason !== null)
  const isOut = balance.data?.funding === 'out' && balance.data.begun
  if (setup === undefined || leads === undefined || !isReady)
    return { isReady, state: dashboard.isError ? null : undefined, newest, hasObstacles: false }
  const wrong = (setup.order ? (checklist.data ?? []) : []).filter(
    ({ ok, code }) => !ok && !(isFailing && OF_ENDPOINTS.includes(code)) && !(isOut && code === 'funded'),
  )
  const state =
    isFailing || isPaused || isOut ? null : sayState({ setup, leadsToday: leads.today, wrong, may })
  const untold = wrong.length - (state?.told === undefined ? 0 : 1)
  return { isReady, state, newest, hasObstacles: untold > 0 || checklist.isLoadingError }
}
