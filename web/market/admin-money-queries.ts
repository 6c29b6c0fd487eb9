import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { marketplaceSettingsSchema } from '#core/contract/market/money/marketplace-settings.ts'
import { balancesSchema, movementSchema, revenueSchema } from '#core/contract/market/money/market-money.ts'
import { pendingAdjustmentSchema } from '#core/contract/market/money/pending-adjustment.ts'
import { apiPath, withQuery } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ADMIN_LISTS_KEY, pages } from '#web/components/admin/admin-lists.ts'

export const pendingAdjustmentsQuery = (filters: { status: string }) =>
  pages('pending-adjustments', pendingAdjustmentSchema, filters)

/** Filters of the ledger of all clients; empty texts filter nothing. */
export interface MovementsView extends Record<string, string> {
  client: string
  type: string
  from: string
  to: string
}

export const movementsQuery = (filters: MovementsView) => pages(['money', 'ledger'], movementSchema, filters)

export const balancesQuery = queryOptions({
  queryKey: [...ADMIN_LISTS_KEY, 'balances'],
  queryFn: ({ signal }) => request(apiPath('admin', 'money', 'balances'), balancesSchema, { signal }),
  staleTime: 0,
})

/** The subject of a report of the revenue. */
export interface RevenueView extends Record<string, string> {
  by: string
  from: string
  to: string
}

export const revenueQuery = (view: RevenueView) =>
  queryOptions({
    queryKey: [...ADMIN_LISTS_KEY, 'revenue', view],
    queryFn: ({ signal }) =>
      request(withQuery(apiPath('admin', 'money', 'revenue'), view), revenueSchema, { signal }),
    placeholderData: keepPreviousData,
  })

export const settingsQuery = queryOptions({
  queryKey: [...ADMIN_LISTS_KEY, 'settings'],
  queryFn: ({ signal }) => request(apiPath('admin', 'settings'), marketplaceSettingsSchema, { signal }),
  staleTime: 0,
})
