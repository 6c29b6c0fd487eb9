import { useState } from 'react'
import { leadSuppressedSchema } from '#core/contract/leads/admin-lead.ts'
import { SUPPRESSION_REASONS, type SuppressionReason } from '#core/contract/market/suppression.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useReason } from '#web/components/admin/use-reason.ts'
import { countOf } from '#web/format/count-of.ts'
import { words } from '#web/format/words.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { useLeadChange } from './use-lead-change.ts'

const REASONS = SUPPRESSION_REASONS.map((value) => ({ value, label: words(value) }))

export function SuppressLeadDialog({ leadId, onClose }: { leadId: string; onClose: () => void }) {
  const [cause, setCause] = useState<SuppressionReason>('opted_out')
  const note = useReason()
  const change = useLeadChange(
    () =>
      request(apiPath('admin', 'leads', leadId, 'suppress'), leadSuppressedSchema, {
        method: 'POST',
        body: { reason: cause, note: note.text },
      }),
    {
      done: ({ added }) =>
        added === 0 ? 'The person was suppressed before' : `${countOf(added, 'entry')} added`,
      onDone: onClose,
    },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title="Suppress this person?"
      description="The phones and the email of this lead go on the suppression list: no lead of this person is sold any more."
      submit="Suppress"
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
