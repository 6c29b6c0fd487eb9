import { Ban, RotateCw } from 'lucide-react'
import type { DeliveryLogDetail } from '#core/contract/webhooks/delivery.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { CopyButton } from '#web/ui/action/CopyButton.tsx'
import { Tooltip } from '#web/ui/overlay/Tooltip.tsx'
import { canCancel, offerResend } from '../logs/offer-actions.ts'
import { useDeliveryActions } from '../logs/use-delivery-actions.tsx'
import { writeCurl } from './write-curl.ts'

export interface AttemptActionsProps {
  attempt: DeliveryLogDetail
  isWebhookActive: boolean
  now: Date
  onSent: (deliveryId: string) => void
}

/** Buttons for the attempt's delivery: resend and cancel. */
export function AttemptActions({ attempt, isWebhookActive, now, onSent }: AttemptActionsProps) {
  const actions = useDeliveryActions(isWebhookActive, onSent)
  const offer = offerResend(attempt, isWebhookActive, now)
  const icon = <RotateCw aria-hidden className="size-4" />
  return (
    <div className="ml-auto flex flex-wrap items-center gap-2">
      {attempt.request !== null && (
        <CopyButton labelled label="Copy as cURL" value={writeCurl(attempt.request)} />
      )}
      {canCancel(attempt) && (
        <Button
          size="sm"
          icon={<Ban aria-hidden className="size-4" />}
          onClick={() => actions.cancel(attempt)}
        >
          Cancel delivery
        </Button>
      )}
      {offer.kind === 'refused' ? (
        <Tooltip content={offer.reason}>
          <Button size="sm" icon={icon} aria-disabled aria-description={offer.reason}>
            Resend
          </Button>
        </Tooltip>
      ) : (
        <Button
          size="sm"
          // A delivered lead seldom has to be resent, so the button stands out less.
          variant={offer.kind === 'delivered' ? 'secondary' : 'primary'}
          icon={icon}
          busy={actions.busy}
          onClick={() => actions.resend(attempt)}
        >
          {offer.kind === 'now' ? 'Send now' : 'Resend'}
        </Button>
      )}
      {actions.questions}
    </div>
  )
}
