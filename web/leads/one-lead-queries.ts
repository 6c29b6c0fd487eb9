import { queryOptions } from '@tanstack/react-query'
import type { LeadChange } from '#core/contract/leads/lead.ts'
import { apiPath } from '../api/api-path.ts'
import { TELLS_DELIVERIES } from '../api/live-queries.ts'
import { request } from '../api/client.ts'
import { shownLeadSchema } from './shown-lead.ts'

export function leadQuery(id: string) {
  return queryOptions({
    queryKey: ['leads', 'one', id],
    queryFn: ({ signal }) => request(apiPath('leads', id), shownLeadSchema, { signal, keepsDigits: true }),
    meta: TELLS_DELIVERIES,
  })
}

export function changeLead(id: string, body: LeadChange) {
  return request(apiPath('leads', id), shownLeadSchema, { method: 'PATCH', body })
}

/** Gives a lead to a person of the account; null: to nobody in particular. */
export function giveLead(id: string, body: { member_user_id: string | null; note: string }) {
  return request(apiPath('leads', id, 'member'), shownLeadSchema, { method: 'POST', body, keepsDigits: true })
}
