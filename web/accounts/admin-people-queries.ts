import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  adminPersonDetailSchema,
  adminPersonSchema,
  adminSecurityEventSchema,
} from '#core/contract/accounts/admin-people.ts'
import { adminAuditRowSchema } from '#core/contract/accounts/audit.ts'
import { serviceKeySchema } from '#core/contract/accounts/service-key.ts'
import { pageSchema } from '#core/contract/page.ts'
import { apiPath, withQuery } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ADMIN_LISTS_KEY, pages } from '#web/components/admin/admin-lists.ts'

const keysSchema = pageSchema(serviceKeySchema)
const peopleSchema = pageSchema(adminPersonSchema)

/** The administrators, and who is invited as one. */
export const peopleQuery = infiniteQueryOptions({
  queryKey: [...ADMIN_LISTS_KEY, 'people'],
  queryFn: ({ signal }) => request(apiPath('admin', 'people'), peopleSchema, { signal }),
  initialPageParam: '',
  getNextPageParam: (page) => page.next_cursor,
  staleTime: 0,
})

/** The keys of programs, newest first; for owners. */
export const serviceKeysQuery = infiniteQueryOptions({
  queryKey: [...ADMIN_LISTS_KEY, 'service-keys'],
  queryFn: ({ signal }) => request(apiPath('admin', 'service-keys'), keysSchema, { signal }),
  initialPageParam: '',
  getNextPageParam: (page) => page.next_cursor,
  staleTime: 0,
})

export function personQuery(id: string) {
  return queryOptions({
    queryKey: [...ADMIN_LISTS_KEY, 'person', id],
    queryFn: ({ signal }) => request(apiPath('admin', 'people', id), adminPersonDetailSchema, { signal }),
    staleTime: 0,
  })
}

/** Finds any account. The address is in the body, so that no log has it. */
export async function findPerson(email: string) {
  const path = apiPath('admin', 'people', 'find')
  return await request(path, adminPersonDetailSchema, { method: 'POST', body: { email } })
}

export const securityEventsQuery = (filters: { severity: string; type: string }) =>
  pages('security-events', adminSecurityEventSchema, filters)

/** Filters of the audit log, as the API takes them; an empty one narrows nothing. */
export type AuditFilters = Readonly<
  Record<'changes' | 'actor_id' | 'client' | 'action' | 'from' | 'to', string>
>

export const auditLogQuery = (filters: AuditFilters | { user_id: string }) =>
  pages('audit', adminAuditRowSchema, filters)

/** The audit log with the same filters, as CSV. */
export function auditLogFile(filters: AuditFilters): string {
  return withQuery(apiPath('admin', 'audit.csv'), filters)
}
