import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { z } from 'zod'
import { request } from '#web/api/client.ts'
import { errorSentence, isTooOften } from '#web/api/errors.ts'
import {
  runAssignmentTest,
  type AssignmentTestRun,
  type SendCall,
} from '../queries/webhook-assignment-test.ts'
import { webhookConfigsQuery } from '../queries/webhook-configs.ts'
import { findUnheard, type Unheard } from './find-unheard.ts'
import { PATHS } from '#web/paths.ts'
import { useIdempotencyKeys } from '#web/hooks/use-idempotency-keys.ts'
import { authClient } from '#web/session/auth-client.ts'
import { toast } from '#web/ui/overlay/toast.ts'

const send: SendCall = (method, path, body, idempotencyKey) =>
  request(path, z.unknown(), { method, body, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) })

/** 'Run Assignment Test' with its three toasts (docs/product.md §7, §8). */
export function useAssignmentTest() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const linkTo = (text: string, href: string) => ({ text, href, go: () => void navigate(href) })
  const runs = useIdempotencyKeys()
  const [unheard, setUnheard] = useState<Unheard | null>(null)
  const test = useMutation({
    mutationFn: (run: AssignmentTestRun) => runAssignmentTest(send, run),
    onSuccess: (_lead, { userId }) => {
      runs.settle(userId)
      void queryClient.query({ ...webhookConfigsQuery, staleTime: 0 }).then(
        (configs) => setUnheard(findUnheard(configs, new Date())),
        () => setUnheard(null),
      )
      toast.success('Test lead created and assignment triggered... Check Leads and Webhook Logs.', [
        linkTo('Leads', PATHS.leads),
        linkTo('Webhook Logs', `${PATHS.clientIntegrations}?view=configure`),
      ])
    },
    onError: (error) =>
      toast.error(isTooOften(error) ? errorSentence(error) : 'Test failed. Please try again or check logs.'),
    onSettled: () => {
      for (const key of ['leads', 'me', 'delivery-logs', 'setup']) {
        void queryClient.invalidateQueries({ queryKey: [key] })
      }
    },
  })
  return {
    running: test.isPending,
    /** the reason why no webhook got the last test lead, although it was assigned; otherwise null */
    unheard: test.isPending ? null : unheard,
    run: async () => {
      // Read now, because the session may have ended since the page opened.
      const { data } = await authClient.getSession()
      if (data.session === null) {
        toast.error('Please sign in to run the test')
        return
      }
      const userId = data.session.user.id
      test.mutate({ userId, runId: runs.keyOf(userId) })
    },
  }
}
