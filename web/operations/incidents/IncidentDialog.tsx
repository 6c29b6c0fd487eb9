import { useState } from 'react'
import { incidentSchema, type Incident } from '#core/contract/operations/service-status.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { TextArea } from '#web/ui/form/TextArea.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'

export interface IncidentDialogProps {
  /** null for a new one */
  incident: Incident | null
  onClose: () => void
}

/** The value of a field for date and time, in the browser's zone. */
function writeLocal(iso: string | null): string {
  if (iso === null) return ''
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
const readLocal = (text: string): string | null => {
  const at = new Date(text)
  return text === '' || Number.isNaN(at.getTime()) ? null : at.toISOString()
}

const fieldsOf = (incident: Incident | null) => ({
  title: incident?.title ?? '',
  message: incident?.message ?? '',
  began_at: writeLocal(incident?.began_at ?? new Date().toISOString()),
  ended_at: writeLocal(incident?.ended_at ?? null),
})

/** Writes or changes an incident of the status page. */
export function IncidentDialog({ incident, onClose }: IncidentDialogProps) {
  const [before] = useState(() => fieldsOf(incident))
  const [entered, setEntered] = useState(before)
  const reason = useReason()
  const path = incident === null ? apiPath('admin', 'incidents') : apiPath('admin', 'incidents', incident.id)
  const change = useChange(
    () =>
      request(path, incidentSchema, {
        method: incident === null ? 'POST' : 'PATCH',
        body: {
          ...entered,
          began_at: readLocal(entered.began_at) ?? '',
          ended_at: readLocal(entered.ended_at),
          note: reason.text,
        },
      }),
    { done: () => 'The status page shows it within a minute', onDone: onClose },
  )
  const enter = (name: keyof typeof entered) => ({
    value: entered[name],
    onChange: (event: { target: { value: string } }) =>
      setEntered({ ...entered, [name]: event.target.value }),
  })
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={incident === null ? 'Write an incident' : 'Change the incident'}
      description="Everybody reads it on the public status page. Name no client."
      submit={incident === null ? 'Publish' : 'Save'}
      dirty={JSON.stringify(before) !== JSON.stringify(entered) || reason.text !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => reason.askFor(() => change.send(undefined))}
    >
      <Field label="Title" required error={change.faultOf('title')}>
        <TextInput maxLength={120} {...enter('title')} />
      </Field>
      <Field label="What happened" required hint="Plain text" error={change.faultOf('message')}>
        <TextArea rows={5} maxLength={2000} {...enter('message')} />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Began" required error={change.faultOf('began_at')}>
          <TextInput type="datetime-local" {...enter('began_at')} />
        </Field>
        <Field label="Ended" hint="Empty while it lasts" error={change.faultOf('ended_at')}>
          <TextInput type="datetime-local" {...enter('ended_at')} />
        </Field>
      </div>
      <ReasonField reason={reason} fault={change.faultOf('note')} />
    </ChangeDialog>
  )
}
