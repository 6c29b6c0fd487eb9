import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { certificationSchema } from '#core/contract/webhooks/certification.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { isRefusal } from '#web/api/errors.ts'

const LOOK_EVERY_MS = 1000

const pathOf = (id: string) => apiPath('webhook-configs', id, 'certification')

/** How the endpoint of a webhook proves that it is the client's, with the latest run; asked again while one is made. */
export function certificationQuery(id: string) {
  return queryOptions({
    queryKey: ['webhook-configs', 'certification', id],
    queryFn: ({ signal }) => request(pathOf(id), certificationSchema, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.run?.state === 'waiting' || data?.run?.state === 'running' ? LOOK_EVERY_MS : false,
    staleTime: 0,
  })
}

/** Asks for a run. All tries of one wish use one idempotency key. */
export function useCertify(id: string) {
  const queryClient = useQueryClient()
  const [key, setKey] = useState(() => crypto.randomUUID())
  return useMutation({
    mutationFn: () => request(pathOf(id), certificationSchema, { method: 'POST', idempotencyKey: key }),
    onSuccess: (certification) => {
      queryClient.setQueryData(certificationQuery(id).queryKey, certification)
      setKey(crypto.randomUUID())
    },
    onError: (error) => {
      if (isRefusal(error)) setKey(crypto.randomUUID())
    },
  })
}
