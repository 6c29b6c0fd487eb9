import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import {
  clientAccountSchema,
  type ClientAccount,
  type ClientAccountChange,
} from '#core/contract/market/client-account.ts'
import { balanceSchema, ledgerEntrySchema } from '#core/contract/market/money/ledger.ts'
import { paymentSchema, type Payment } from '#core/contract/market/money/payment.ts'
import { pageSchema } from '#core/contract/page.ts'
import { apiPath, withQuery } from '../api/api-path.ts'
import { request } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { TELLS_ALONG } from '../api/live-queries.ts'
import { meQuery } from '../api/me.ts'
import { ME_KEY } from '../api/me-key.ts'
import { setupQuery } from './market-queries.ts'

const MONEY_KEY = ['market', 'money']
const REFRESH_MS = 30_000
const ENTRIES = '25'
const PAYMENTS = '10'

const balanceQuery = queryOptions({
  queryKey: [...MONEY_KEY, 'balance'],
  queryFn: ({ signal }) => request(apiPath('balance'), balanceSchema, { signal }),
  refetchInterval: REFRESH_MS,
  meta: TELLS_ALONG,
})

/**
 * The balance and how long it lasts. For administrators, and for people whose role does not include money, `isNone` is true. It is
 * requested once the user is known; if the user cannot be loaded, the same error stands for the balance.
 */
export function useBalance() {
  const me = useQuery(meQuery)
  const isNone = me.data?.role === 'admin' || me.data?.balance === null
  const balance = useQuery({ ...balanceQuery, enabled: me.data !== undefined && !isNone })
  const { data, error, isPending, isError } = me.isLoadingError ? { ...me, data: undefined } : balance
  const refetch = async () => void (await (me.isLoadingError ? me : balance).refetch())
  return { data, error, isPending, isError, refetch, isNone }
}

/** All ledger entries, newest first. */
export const ledgerQuery = infiniteQueryOptions({
  queryKey: [...MONEY_KEY, 'ledger'],
  queryFn: ({ pageParam, signal }) =>
    request(
      withQuery(apiPath('ledger'), { limit: ENTRIES, cursor: pageParam }),
      pageSchema(ledgerEntrySchema),
      {
        signal,
      },
    ),
  initialPageParam: '',
  getNextPageParam: (page) => page.next_cursor,
})

/** All payments, newest first. */
export const paymentsQuery = infiniteQueryOptions({
  queryKey: [...MONEY_KEY, 'payments'],
  queryFn: ({ pageParam, signal }) => readPayments(pageParam, PAYMENTS, signal),
  initialPageParam: '',
  getNextPageParam: (page) => page.next_cursor,
})

/** One payment; null if the client has none with this id. */
export function paymentQuery(id: string) {
  return queryOptions({
    queryKey: [...MONEY_KEY, 'payment', id],
    queryFn: async ({ signal }): Promise<Payment | null> => {
      let cursor: string | null = ''
      do {
        const page: Awaited<ReturnType<typeof readPayments>> = await readPayments(cursor, '100', signal)
        const found = page.data.find((payment) => payment.id === id)
        if (found !== undefined) return found
        cursor = page.next_cursor
      } while (cursor !== null)
      return null
    },
    // The provider reports to the server and not to this page, so we poll.
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? 3000 : false),
  })
}

function readPayments(cursor: string, limit: string, signal: AbortSignal) {
  return request(withQuery(apiPath('payments'), { limit, cursor }), pageSchema(paymentSchema), { signal })
}

export function useAskForPayment() {
  const refresh = useRefreshMoney()
  return useMutation({
    mutationFn: ({ key, ...body }: { amount: string; save_method: boolean; key: string }) =>
      request(apiPath('payments'), paymentSchema, { method: 'POST', body, idempotencyKey: key }),
    onSettled: refresh,
  })
}

export function useCancelPayment() {
  const refresh = useRefreshMoney()
  return useMutation({
    mutationFn: (id: string) => request(apiPath('payments', id, 'cancel'), paymentSchema, { method: 'POST' }),
    onSettled: refresh,
  })
}

function useRefreshMoney() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      [MONEY_KEY, ME_KEY, setupQuery.queryKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    )
}

/** The client's account: thresholds, notices, auto-recharge. */
export const accountQuery = queryOptions({
  queryKey: ['market', 'account'],
  queryFn: ({ signal }) => request(apiPath('account'), clientAccountSchema, { signal }),
})

export type AccountSaved =
  | { result: 'saved'; account: ClientAccount }
  /** somebody else has changed it since it was shown; `account` is the current one, and nothing was saved */
  | { result: 'overtaken'; account: ClientAccount }

/** Removes the saved card, which also switches the auto-recharge off. */
export function useForgetMethod() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () =>
      request(apiPath('account', 'payment-method'), clientAccountSchema, { method: 'DELETE' }),
    onSuccess: (account) => queryClient.setQueryData(accountQuery.queryKey, account),
  })
}

/** Changes the account, unless it has changed since `version`. */
export function useChangeAccount() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (change: ClientAccountChange): Promise<AccountSaved> => {
      const path = apiPath('account')
      try {
        return {
          result: 'saved',
          account: await request(path, clientAccountSchema, { method: 'PATCH', body: change }),
        }
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'version_conflict') throw error
        return { result: 'overtaken', account: await request(path, clientAccountSchema) }
      }
    },
    onSuccess: ({ account }) => {
      queryClient.setQueryData(accountQuery.queryKey, account)
      void queryClient.invalidateQueries({ queryKey: MONEY_KEY })
    },
  })
}
