import { adminClientDetailSchema, type AdminClientDetail } from '#core/contract/market/admin-client.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'

export interface PauseSendingProps {
  client: AdminClientDetail
  onClose: () => void
}

/** Pauses all sending to a client, or ends the pause. */
export function PauseSending({ client, onClose }: PauseSendingProps) {
  const isPaused = client.sending_pause !== null
  const reason = useReason(isPaused ? 'Say why' : 'Say why; the client reads it')
  const field = isPaused ? 'note' : 'reason'
  const change = useChange(
    () =>
      request(
        apiPath('admin', 'clients', client.user_id, isPaused ? 'resume-sending' : 'pause-sending'),
        adminClientDetailSchema,
        { method: 'POST', body: { [field]: reason.text } },
      ),
    { done: () => (isPaused ? 'Sending is resumed' : 'Sending is paused'), onDone: onClose },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={`${isPaused ? 'Resume' : 'Pause'} all sending to ${client.display_name}?`}
      description={
        isPaused
          ? 'What waits is sent at once, to each endpoint as fast as it answers.'
          : 'Deliveries wait until you resume, and nothing is lost. The client’s webhooks stay as they are, and leads are still sold.'
      }
      submit={isPaused ? 'Resume sending' : 'Pause sending'}
      dirty={reason.text !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => reason.askFor(() => change.send(undefined))}
    >
      <ReasonField
        reason={reason}
        fault={change.faultOf(field)}
        {...(!isPaused && {
          maxLength: 200,
          hint: 'The client reads: “Sending is paused by Leadwire”, and these words.',
        })}
      />
    </ChangeDialog>
  )
}
