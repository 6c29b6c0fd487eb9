import { useState } from 'react'
import { z } from 'zod'
import type { UnclearLead } from '#core/contract/market/late-lead.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'
import { formatMoney } from '#web/format/money.ts'
import { Switch } from '#web/ui/form/Switch.tsx'

/** Credits a late lead whose times cannot be trusted, or dismisses it. */
export function DecideLateDialog({ lead, onClose }: { lead: UnclearLead; onClose: () => void }) {
  const [isCredited, setIsCredited] = useState(false)
  const reason = useReason()
  const change = useChange(
    () =>
      request(apiPath('admin', 'late-leads', lead.id, 'decide'), z.undefined(), {
        method: 'POST',
        body: { credit: isCredited, note: reason.text },
      }),
    { done: () => (isCredited ? 'It is credited in a moment' : 'It gets no credit'), onDone: onClose },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={`Decide about the lead of ${lead.client.name}`}
      description="Its times cannot be trusted, so nothing was credited by itself."
      submit={isCredited ? 'Credit' : 'Give no credit'}
      dirty={reason.text !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => reason.askFor(() => change.send(undefined))}
    >
      <Switch
        label={`Credit ${formatMoney(lead.amount)}`}
        hint="The client keeps the lead."
        checked={isCredited}
        onCheckedChange={setIsCredited}
      />
      <ReasonField reason={reason} fault={change.faultOf('note')} />
    </ChangeDialog>
  )
}
