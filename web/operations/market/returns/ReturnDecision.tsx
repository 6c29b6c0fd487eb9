import { useState } from 'react'
import { heldReturnSchema, type HeldReturn } from '#core/contract/market/lead-return.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { formatMoney } from '#web/format/money.ts'
import { words } from '#web/format/words.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { TextArea } from '#web/ui/form/TextArea.tsx'
import { ChangeDialog } from '../ChangeDialog.tsx'
import { useChange } from '../use-change.ts'

export interface ReturnDecisionProps {
  request: HeldReturn
  isApproval: boolean
  onClose: () => void
}

export function ReturnDecision({ request: asked, isApproval, onClose }: ReturnDecisionProps) {
  const [note, setNote] = useState('')
  const change = useChange(
    () =>
      request(apiPath('admin', 'returns', asked.id, isApproval ? 'approve' : 'deny'), heldReturnSchema, {
        method: 'POST',
        body: { note },
      }),
    {
      done: ({ price }) =>
        isApproval ? `Return approved: ${formatMoney(price)} went back to the client` : 'Return denied',
      onDone: onClose,
    },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={isApproval ? 'Approve this return?' : 'Deny this return?'}
      description={
        isApproval
          ? `${asked.client.email} gets ${formatMoney(asked.price)} back and no longer sees whose lead it was.`
          : `The lead stays with ${asked.client.email}, who may not ask again.`
      }
      submit={isApproval ? 'Approve' : 'Deny'}
      danger={!isApproval}
      dirty={note !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => change.send(undefined)}
    >
      <p className="text-sm">
        {words(asked.reason)}
        {asked.note !== null && <span className="block break-words text-muted">{`“${asked.note}”`}</span>}
      </p>
      <Field label="Note" hint="The client reads it." error={change.faultOf('note')}>
        <TextArea rows={3} maxLength={1000} value={note} onChange={(event) => setNote(event.target.value)} />
      </Field>
    </ChangeDialog>
  )
}
