import { useState } from 'react'
import {
  pendingAdjustmentSchema,
  type PendingAdjustment,
} from '#core/contract/market/money/pending-adjustment.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'
import { formatMovement } from '#web/format/money.ts'
import { useAuth } from '#web/session/auth-context.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'

export interface AdjustmentDecisionProps {
  adjustment: PendingAdjustment
  isYes: boolean
  onClose: () => void
}

/** Confirms a pending adjustment, or declines it. The only administrator types a code of the second factor. */
export function AdjustmentDecision({ adjustment, isYes, onClose }: AdjustmentDecisionProps) {
  const { verifyMFA } = useAuth()
  const note = useReason('Note is required')
  const [code, setCode] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const asksCode = isYes && adjustment.confirmable === 'with_factor'
  const name = adjustment.client.name
  const change = useChange(
    () =>
      request(
        apiPath('admin', 'pending-adjustments', adjustment.id, isYes ? 'confirm' : 'decline'),
        pendingAdjustmentSchema,
        { method: 'POST', body: { note: note.text } },
      ),
    {
      done: () =>
        isYes ? `${formatMovement(adjustment.amount)} for ${name}: done` : 'The adjustment is declined',
      onDone: onClose,
    },
  )
  const submit = async () => {
    setRefusal(undefined)
    // An empty code is enough while the last one was typed less than 15 minutes ago.
    if (asksCode && code.trim() !== '') {
      const outcome = await verifyMFA(code.trim())
      if (outcome.result === 'refused') return setRefusal(outcome.message)
    }
    change.send(undefined)
  }
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={isYes ? `Confirm ${formatMovement(adjustment.amount)} for ${name}?` : 'Decline the adjustment?'}
      description={
        isYes
          ? `The balance moves at once, and ${name} reads: “${adjustment.note}”`
          : 'Nothing moves, and the client hears nothing.'
      }
      submit={isYes ? 'Confirm' : 'Decline'}
      danger={!isYes}
      dirty={note.text !== '' || code !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => note.askFor(() => void submit())}
    >
      <ReasonField reason={note} fault={change.faultOf('note')} label="Note" />
      {asksCode && (
        <Field
          label="Six-digit code"
          hint="You are the only administrator, so your authenticator app confirms it. The audit log says so."
          error={refusal}
        >
          <TextInput
            mono
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        </Field>
      )}
    </ChangeDialog>
  )
}
