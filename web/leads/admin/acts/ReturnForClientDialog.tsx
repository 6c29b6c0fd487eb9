import { useState } from 'react'
import { z } from 'zod'
import type { LeadStory } from '#core/contract/leads/admin-lead.ts'
import { RETURN_REASONS, type ReturnReason } from '#core/contract/market/lead-return.ts'
import { labelReturnReason } from '#core/domain/market/describe-return.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useReason } from '#web/components/admin/use-reason.ts'
import { sayRest } from '#web/format/money.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { useLeadChange } from './use-lead-change.ts'

const REASONS = RETURN_REASONS.map((value) => ({ value, label: labelReturnReason(value) }))

export interface ReturnForClientDialogProps {
  leadId: string
  holder: LeadStory['holders'][number]
  /** dollars that a return pays back: the price without a late credit */
  rest: string
  onClose: () => void
}

export function ReturnForClientDialog({ leadId, holder, rest, onClose }: ReturnForClientDialogProps) {
  const [cause, setCause] = useState<ReturnReason>('disconnected_number')
  const note = useReason()
  const change = useLeadChange(
    () =>
      request(apiPath('admin', 'leads', leadId, 'return'), z.undefined(), {
        method: 'POST',
        body: { reason: cause, note: note.text },
      }),
    { done: () => `Returned: ${holder.client.name} got ${sayRest(rest)} back`, onDone: onClose },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={`Return this lead for ${holder.client.name}?`}
      description={`${holder.client.name} gets ${sayRest(rest)} back at once, reads the cause, and no longer sees whose lead it was.`}
      submit="Return"
      dirty={note.text !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => note.askFor(() => change.send(undefined))}
    >
      <Field label="Cause" required error={change.faultOf('reason')}>
        <Select value={cause} onValueChange={setCause} options={REASONS} />
      </Field>
      <ReasonField reason={note} fault={change.faultOf('note')} />
    </ChangeDialog>
  )
}
