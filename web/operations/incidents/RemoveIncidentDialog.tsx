import { z } from 'zod'
import type { Incident } from '#core/contract/operations/service-status.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'

/** Takes an incident off the status page, for a reason. */
export function RemoveIncidentDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const reason = useReason()
  const change = useChange(
    () =>
      request(apiPath('admin', 'incidents', incident.id), z.undefined(), {
        method: 'DELETE',
        body: { note: reason.text },
      }),
    { done: () => 'The incident is removed', onDone: onClose },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title="Remove the incident?"
      description={`Nobody reads “${incident.title}” on the status page any more. The audit log keeps it.`}
      submit="Remove"
      danger
      dirty={reason.text !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => reason.askFor(() => change.send(undefined))}
    >
      <ReasonField reason={reason} fault={change.faultOf('note')} />
    </ChangeDialog>
  )
}
