import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { adminClientDetailSchema, adminClientSchema } from '#core/contract/market/admin-client.ts'
import {
  clientNoteSchema,
  clientPersonSchema,
  clientWebhookSchema,
} from '#core/contract/market/client-page.ts'
import { ledgerEntrySchema } from '#core/contract/market/money/ledger.ts'
import { paymentSchema } from '#core/contract/market/money/payment.ts'
import { redriveResultSchema } from '#core/contract/operations/dead-letter.ts'
import { deliveryLogSchema } from '#core/contract/webhooks/delivery.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ADMIN_LISTS_KEY, pages } from '#web/components/admin/admin-lists.ts'

export const clientsQuery = (filters: { search: string; status: string; funds?: string }) =>
  pages('clients', adminClientSchema, filters)

export function clientQuery(id: string) {
  return queryOptions({
    queryKey: [...ADMIN_LISTS_KEY, 'client', id],
    queryFn: ({ signal }) => request(apiPath('admin', 'clients', id), adminClientDetailSchema, { signal }),
    staleTime: 0,
  })
}

const part = <Row extends z.ZodType>(id: string, name: string, row: Row) =>
  queryOptions({
    queryKey: [...ADMIN_LISTS_KEY, 'client', id, name],
    queryFn: ({ signal }) =>
      request(apiPath('admin', 'clients', id, name), z.object({ data: z.array(row) }), { signal }),
    staleTime: 0,
  })

export const clientWebhooksQuery = (id: string) => part(id, 'webhooks', clientWebhookSchema)
export const clientPeopleQuery = (id: string) => part(id, 'people', clientPersonSchema)

export const clientLedgerQuery = (id: string) => pages(['clients', id, 'ledger'], ledgerEntrySchema, {})
export const clientPaymentsQuery = (id: string) => pages(['clients', id, 'payments'], paymentSchema, {})
export const clientNotesQuery = (id: string) => pages(['clients', id, 'notes'], clientNoteSchema, {})
export const clientDeliveriesQuery = (id: string, filters: { webhook: string; status: string }) =>
  pages(['clients', id, 'deliveries'], deliveryLogSchema, filters)

/** Counts what finally failed for a client, or for one of its webhooks. */
export function clientFailedQuery(id: string, webhook: string) {
  return queryOptions({
    queryKey: [...ADMIN_LISTS_KEY, 'client', id, 'failed', webhook],
    queryFn: ({ signal }) =>
      request(apiPath('admin', 'clients', id, 'resend-failed'), redriveResultSchema, {
        method: 'POST',
        body: { dry_run: true, ...(webhook === '' ? {} : { webhook }) },
        signal,
      }),
    staleTime: 0,
  })
}
