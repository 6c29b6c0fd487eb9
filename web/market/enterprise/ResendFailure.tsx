import { useQueryClient } from '@tanstack/react-query'
import type { FailedDelivery } from '#core/contract/market/delivery-figures.ts'
import { errorSentence } from '#web/api/errors.ts'
import { useIdempotencyKeys } from '#web/hooks/use-idempotency-keys.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { useResendDelivery } from '#web/webhooks/queries/mend-deliveries.ts'
import { ENTERPRISE_KEY } from './enterprise-queries.ts'
import { refuseResend } from './exception-rows.ts'

/** Resends a failed delivery, or says why that is not possible. */
export function ResendFailure({ failed }: { failed: FailedDelivery }) {
  const { attempt_id: attempt, webhook_name, lead } = failed
  const queryClient = useQueryClient()
  const resending = useResendDelivery()
  const keys = useIdempotencyKeys()
  const refusal = refuseResend(failed)
  if (refusal !== null || attempt === null) return <span className="text-xs text-muted">{refusal}</span>
  const send = () =>
    resending.mutate(
      { logId: attempt, key: keys.keyOf(attempt) },
      {
        onSuccess: () => {
          keys.settle(attempt)
          toast.success('The lead is on its way again.')
        },
        onError: (error) => toast.error(errorSentence(error)),
        onSettled: () => void queryClient.invalidateQueries({ queryKey: ENTERPRISE_KEY }),
      },
    )
  return (
    <Button
      size="sm"
      busy={resending.isPending}
      aria-label={`Resend ${lead.name ?? 'Unknown'} to ${webhook_name}`}
      onClick={send}
    >
      Resend
    </Button>
  )
}
