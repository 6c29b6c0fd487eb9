import { useState } from 'react'
import { sourceSchema, type Source } from '#core/contract/leads/source.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { TextArea } from '#web/ui/form/TextArea.tsx'
import { ChangeDialog } from '../market/ChangeDialog.tsx'
import { useChange } from '../market/use-change.ts'

/** Asks why a source is stopped, then stops it. */
export function StopSourceDialog({ source, onClose }: { source: Source; onClose: () => void }) {
  const [reason, setReason] = useState('')
  const change = useChange(
    () =>
      request(apiPath('admin', 'sources', source.id, 'stop'), sourceSchema, {
        method: 'POST',
        body: { reason },
      }),
    { done: ({ name }) => `${name} is stopped: its unsold leads are withdrawn`, onDone: onClose },
  )
  const fault = change.faultOf('reason')
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={`Stop ${source.name}?`}
      description="All of its keys end, and its unsold leads are withdrawn: none of them is sold any more. Leads that were sold stay sold. It cannot be started again."
      submit="Stop source"
      danger
      dirty={reason !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => change.send(undefined)}
    >
      <Field
        label="Reason"
        required
        hint="For administrators alone, and kept for good: name no people."
        {...(fault !== undefined && { error: fault })}
      >
        <TextArea
          rows={3}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </ChangeDialog>
  )
}
