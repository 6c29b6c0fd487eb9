import { useState, type ReactNode } from 'react'
import type { DeliveryLog } from '#core/contract/webhooks/delivery.ts'
import type { ResendResult } from '#core/contract/webhooks/resend.ts'
import { errorSentence } from '#web/api/errors.ts'
import { useCancelDelivery, useResendDelivery } from '../queries/mend-deliveries.ts'
import { useIdempotencyKeys } from '#web/hooks/use-idempotency-keys.ts'
import { describeLead } from '#web/components/webhook-log-cells.ts'
import { AlertDialog } from '#web/ui/overlay/AlertDialog.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { offerResend } from './offer-actions.ts'

const SENT: Record<ResendResult['sent'], string> = {
  again: 'The lead is on its way again.',
  now: 'The next attempt is made now.',
  probe: 'The endpoint is tried at once.',
}

type Question = { kind: 'resend' | 'cancel'; log: DeliveryLog }

export interface DeliveryActions {
  /**
   * Resends a row's delivery, or makes its planned attempt now; asks first if the receiver already has the
   * lead.
   */
  resend: (log: DeliveryLog) => void
  /** Asks, then cancels the row's delivery. */
  cancel: (log: DeliveryLog) => void
  busy: boolean
  /** The dialogs of the questions; render them once. */
  questions: ReactNode
}

/** @param onSent called with the delivery that is now on its way */
export function useDeliveryActions(
  isWebhookActive: boolean,
  onSent?: (deliveryId: string) => void,
): DeliveryActions {
  const resending = useResendDelivery()
  const keys = useIdempotencyKeys()
  const cancelling = useCancelDelivery()
  const [question, setQuestion] = useState<Question | null>(null)
  // Stays set while the dialog closes, so that its text does not change during the animation.
  const [isAsking, setAsking] = useState(false)
  const ask = (next: Question) => {
    setQuestion(next)
    setAsking(true)
  }
  const send = (log: DeliveryLog) =>
    resending.mutate(
      { logId: log.id, key: keys.keyOf(log.id) },
      {
        onSuccess: ({ delivery_id, sent }) => {
          keys.settle(log.id)
          toast.success(SENT[sent])
          onSent?.(delivery_id)
        },
        onError: (error) => toast.error(errorSentence(error)),
        onSettled: () => setAsking(false),
      },
    )
  const stop = (log: DeliveryLog) =>
    cancelling.mutate(log.id, {
      onSuccess: ({ is_sending }) =>
        toast.success(
          is_sending
            ? 'Cancelled. The request under way is completed and logged, and no other follows.'
            : 'The delivery is cancelled.',
        ),
      onError: (error) => toast.error(errorSentence(error)),
      onSettled: () => setAsking(false),
    })
  const lead = question === null ? '' : describeLead(question.log).name
  return {
    resend: (log) =>
      offerResend(log, isWebhookActive, new Date()).kind === 'delivered'
        ? ask({ kind: 'resend', log })
        : send(log),
    cancel: (log) => ask({ kind: 'cancel', log }),
    busy: resending.isPending || cancelling.isPending,
    questions: (
      <>
        <AlertDialog
          open={isAsking && question?.kind === 'resend'}
          onOpenChange={setAsking}
          title={`Resend ${lead}?`}
          description="This lead was delivered already. Your CRM receives it again under the same webhook-id."
          confirmLabel="Resend"
          tone="primary"
          busy={resending.isPending}
          onConfirm={() => {
            if (question !== null) send(question.log)
          }}
        />
        <AlertDialog
          open={isAsking && question?.kind === 'cancel'}
          onOpenChange={setAsking}
          title={`Cancel the delivery of ${lead}?`}
          description={
            question?.log.is_sending === true
              ? 'The request under way is completed and logged, and no other follows. You can resend the lead later.'
              : 'It is not sent any more. The lead stays yours, and you can resend it later.'
          }
          confirmLabel="Cancel delivery"
          cancelLabel="Keep it"
          busy={cancelling.isPending}
          onConfirm={() => {
            if (question !== null) stop(question.log)
          }}
        />
      </>
    ),
  }
}
