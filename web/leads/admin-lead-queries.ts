import { queryOptions } from '@tanstack/react-query'
import { adminLeadsSchema, adminLeadTotalsSchema, leadStorySchema } from '#core/contract/leads/admin-lead.ts'
import { apiPath, withQuery } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ADMIN_LISTS_KEY, pagesOf } from '#web/components/admin/admin-lists.ts'

/** Filters of the administrators' leads; an empty text does not filter. */
export interface AdminLeadFilters extends Record<string, string> {
  search: string
  client: string
  source: string
  order: string
  outcome: string
  status: string
  reason: string
  from: string
  to: string
}

export const NO_ADMIN_FILTERS: AdminLeadFilters = {
  search: '',
  client: '',
  source: '',
  order: '',
  outcome: '',
  status: '',
  reason: '',
  from: '',
  to: '',
}

export const adminLeadsQuery = (filters: AdminLeadFilters) => pagesOf('leads', adminLeadsSchema, filters)

export function adminLeadTotalsQuery(filters: AdminLeadFilters) {
  return queryOptions({
    queryKey: [...ADMIN_LISTS_KEY, 'lead-totals', filters],
    queryFn: ({ signal }) =>
      request(withQuery(apiPath('admin', 'leads', 'totals'), filters), adminLeadTotalsSchema, { signal }),
    staleTime: 0,
  })
}

/** How a lead came, who had it, and the money that moved for it. */
export function leadStoryQuery(id: string) {
  return queryOptions({
    queryKey: [...ADMIN_LISTS_KEY, 'lead-story', id],
    queryFn: ({ signal }) => request(apiPath('admin', 'leads', id), leadStorySchema, { signal }),
    staleTime: 0,
  })
}
