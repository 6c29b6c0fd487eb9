import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import {
  orderConflictSchema,
  orderEstimateSchema,
  orderSchema,
  type Order,
  type OrderConflict,
  type OrderEstimateRequest,
  type OrderTerms,
} from '#core/contract/market/order.ts'
import { pageSchema } from '#core/contract/page.ts'
import { apiPath, withQuery } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ApiError, isNotFound } from '#web/api/errors.ts'
import { ME_KEY } from '#web/api/me-key.ts'
import { useIdempotencyKeys } from '#web/hooks/use-idempotency-keys.ts'

const PATH = apiPath('orders')
const ORDERS_KEY = ['orders'] as const
/** Tallies and states change by themselves, so we poll. */
const REFRESH_MS = 30_000

const orderPageSchema = pageSchema(orderSchema)

/** All orders of the client, newest first. They always fit on one page (docs/product.md §9). */
export const ordersQuery = queryOptions({
  queryKey: [...ORDERS_KEY, 'list'],
  queryFn: async ({ signal }) =>
    (await request(withQuery(PATH, { limit: '100' }), orderPageSchema, { signal })).data,
  refetchInterval: REFRESH_MS,
})

/** Number of leads of last week that an order like this could have received. */
export function estimateQuery(wanted: OrderEstimateRequest | null) {
  return queryOptions({
    queryKey: [...ORDERS_KEY, 'estimate', wanted],
    queryFn: ({ signal }) =>
      request(apiPath('orders', 'estimate'), orderEstimateSchema, { method: 'POST', body: wanted, signal }),
    enabled: wanted !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** `overtaken`: somebody has changed it since it was read, and nothing was saved. */
export type SavedOrder =
  | { outcome: 'saved'; order: Order }
  | { outcome: 'overtaken'; conflict: OrderConflict }

/** Creates an order. Every try with the same content uses one idempotency key. */
export function useCreateOrder() {
  const keys = useIdempotencyKeys()
  return useChange(async (body: OrderTerms & { active: boolean; member_user_id: string | null }) => {
    const wish = JSON.stringify(body)
    const idempotencyKey = keys.keyOf(wish)
    const order = await request(PATH, orderSchema, { method: 'POST', body, idempotencyKey })
    keys.settle(wish)
    return order
  })
}

/** Changes the given terms, provided that the version is still the one that was read. */
export function useChangeOrder() {
  return useChange(
    async (change: Partial<OrderTerms> & { id: string; version: number }): Promise<SavedOrder> => {
      const { id, ...body } = change
      try {
        const order = await request(apiPath('orders', id), orderSchema, { method: 'PATCH', body })
        return { outcome: 'saved', order }
      } catch (error) {
        const conflict = readConflict(error)
        if (conflict === undefined) throw error
        // All changes are already stored, by an earlier try whose answer was lost.
        if (Object.keys(conflict.yours).length === 0) return { outcome: 'saved', order: conflict.current }
        return { outcome: 'overtaken', conflict }
      }
    },
  )
}

export function useSwitchOrder() {
  return useChange(({ id, action }: { id: string; action: 'pause' | 'resume' }) =>
    request(apiPath('orders', id, action), orderSchema, { method: 'POST' }),
  )
}

/**
 * Deletes an order. If it is already gone, that counts as success: an earlier try's answer may have been
 * lost.
 */
export function useDeleteOrder() {
  return useChange(async (id: string) => {
    try {
      await request(apiPath('orders', id), z.unknown(), { method: 'DELETE' })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  })
}

function readConflict(error: unknown): OrderConflict | undefined {
  if (!(error instanceof ApiError) || error.code !== 'version_conflict') return undefined
  return orderConflictSchema.safeParse(error.answer).data
}

function useChange<Variables, Answer>(change: (variables: Variables) => Promise<Answer>) {
  const queryClient = useQueryClient()
  const refresh = () =>
    // The user's own answer counts the active orders.
    Promise.all([ORDERS_KEY, ME_KEY].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  return useMutation({ mutationFn: change, onSuccess: refresh, onError: () => void refresh() })
}
