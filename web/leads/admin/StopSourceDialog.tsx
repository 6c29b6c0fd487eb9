import { sourceSchema, type Source } from '#core/contract/leads/source.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'

/** Asks for a reason, then stops a source. */
export function StopSourceDialog({ source, onClose }: { source: Source; onClose: () => void }) {
  const reason = useReason()
  const change = useChange(
    () =>
      request(apiPath('admin', 'sources', source.id, 'stop'), sourceSchema, {
        method: 'POST',
        body: { reason: reason.text },
      }),
    { done: ({ name }) => `${name} is stopped: its unsold leads are withdrawn`, onDone: onClose },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={`Stop ${source.name}?`}
      description="All of its keys end, and its unsold leads are withdrawn: none of them is sold any more. Leads that were sold stay sold. It cannot be started again."
      submit="Stop source"
      danger
      dirty={reason.text !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => reason.askFor(() => change.send(undefined))}
    >
      <ReasonField reason={reason} fault={change.faultOf('reason')} />
    </ChangeDialog>
  )
}
