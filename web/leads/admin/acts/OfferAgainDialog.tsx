import { z } from 'zod'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useReason } from '#web/components/admin/use-reason.ts'
import { useLeadChange } from './use-lead-change.ts'

export function OfferAgainDialog({ leadId, onClose }: { leadId: string; onClose: () => void }) {
  const reason = useReason()
  const change = useLeadChange(
    () =>
      request(apiPath('admin', 'leads', leadId, 'offer-again'), z.undefined(), {
        method: 'POST',
        body: { reason: reason.text },
      }),
    { done: () => 'The lead is offered to all orders', onDone: onClose },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title="Offer this lead again?"
      description="All orders are asked again, by the rules of every sale. A client that had it does not get it."
      submit="Offer again"
      dirty={reason.text !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => reason.askFor(() => change.send(undefined))}
    >
      <ReasonField reason={reason} fault={change.faultOf('reason')} />
    </ChangeDialog>
  )
}
