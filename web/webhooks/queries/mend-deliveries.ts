import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  cancelResultSchema,
  cancelWaitingResultSchema,
  resendFailedResultSchema,
  resendResultSchema,
  settleOfferedResultSchema,
} from '#core/contract/webhooks/resend.ts'
import { endpointHealthKey } from './webhook-configs.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'

/** Keep `key` until the answer has come: web/hooks/use-idempotency-keys.ts. */
export function useResendDelivery() {
  return useMend(({ logId, key }: { logId: string; key: string }) =>
    request(apiPath('delivery-logs', logId, 'resend'), resendResultSchema, {
      method: 'POST',
      idempotencyKey: key,
    }),
  )
}

export function useCancelDelivery() {
  return useMend((logId: string) =>
    request(apiPath('delivery-logs', logId, 'cancel'), cancelResultSchema, { method: 'POST', body: {} }),
  )
}

/** Counts the deliveries that "Resend failed since…" would send; requested at each opening of the dialog. */
export function failedCountQuery(configId: string, since: string) {
  return queryOptions({
    queryKey: ['delivery-logs', 'failed-count', configId, since],
    queryFn: ({ signal }) =>
      request(resendFailedPath(configId), resendFailedResultSchema, {
        method: 'POST',
        body: { since, dry_run: true },
        signal,
      }),
    staleTime: 0,
    gcTime: 0,
  })
}

/** For `key` see {@link useResendDelivery}. */
export function useResendFailed() {
  return useMend(({ configId, since, key }: { configId: string; since: string; key: string }) =>
    request(resendFailedPath(configId), resendFailedResultSchema, {
      method: 'POST',
      body: { since },
      idempotencyKey: key,
    }),
  )
}

/** Counts the deliveries that {@link useCancelWaiting} would stop. */
export function waitingCountQuery(configId: string) {
  return queryOptions({
    queryKey: ['delivery-logs', 'waiting-count', configId],
    queryFn: ({ signal }) =>
      request(cancelWaitingPath(configId), cancelWaitingResultSchema, {
        method: 'POST',
        body: { dry_run: true },
        signal,
      }),
    staleTime: 0,
    gcTime: 0,
  })
}

export function useCancelWaiting() {
  return useMend((configId: string) =>
    request(cancelWaitingPath(configId), cancelWaitingResultSchema, { method: 'POST', body: {} }),
  )
}

/** Sends or discards the deliveries that were offered while the webhook was off. */
export function useSettleOffered() {
  return useMend(({ configId, how }: { configId: string; how: 'send' | 'discard' }) =>
    request(apiPath('webhook-configs', configId, `${how}-offered`), settleOfferedResultSchema, {
      method: 'POST',
      body: {},
    }),
  )
}

export function useCancelReplay() {
  return useMend((replayId: string) =>
    request(apiPath('webhook-replays', replayId, 'cancel'), cancelWaitingResultSchema, {
      method: 'POST',
      body: {},
    }),
  )
}

function resendFailedPath(configId: string) {
  return apiPath('webhook-configs', configId, 'resend-failed')
}

function cancelWaitingPath(configId: string) {
  return apiPath('webhook-configs', configId, 'cancel-waiting')
}

/** Refreshes the logs after deliveries were sent or stopped. */
function useMend<Variables, Answer>(mend: (variables: Variables) => Promise<Answer>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: mend,
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ['delivery-logs'] })
      void queryClient.invalidateQueries({ queryKey: endpointHealthKey })
    },
  })
}
