import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { adminOrderSchema } from '#core/contract/market/admin-order.ts'
import { leadPriceSchema, leadTypeSchema } from '#core/contract/market/lead-price.ts'
import { heldReturnSchema } from '#core/contract/market/lead-return.ts'
import { paymentComparisonSchema } from '#core/contract/market/money/payment-difference.ts'
import { adminPaymentSchema } from '#core/contract/market/money/payment.ts'
import { suppressionSchema } from '#core/contract/market/suppression.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ADMIN_LISTS_KEY, pages } from '#web/components/admin/admin-lists.ts'

export const ordersQuery = (filters: { client: string; paused: string }) =>
  pages('orders', adminOrderSchema, filters)

export const leadPricesQuery = pages('lead-prices', leadPriceSchema, {})

export const paymentsQuery = (filters: { status: string } | { disputed: 'true' }) =>
  pages('payments', adminPaymentSchema, filters)

export const paymentDifferencesQuery = queryOptions({
  queryKey: [...ADMIN_LISTS_KEY, 'payment-differences'],
  queryFn: ({ signal }) =>
    request(apiPath('admin', 'payment-differences'), paymentComparisonSchema, { signal }),
  staleTime: 0,
})

export const returnsQuery = (filters: { status: string }) => pages('returns', heldReturnSchema, filters)

export const suppressionsQuery = (filters: { reason: string }) =>
  pages('suppressions', suppressionSchema, filters)

export const leadTypesQuery = queryOptions({
  queryKey: [...ADMIN_LISTS_KEY, 'lead-types'],
  queryFn: ({ signal }) =>
    request(apiPath('admin', 'lead-types'), z.object({ data: z.array(leadTypeSchema) }), { signal }),
  staleTime: 0,
})
