import { revocationDetailSchema, type Revocation } from '#core/contract/leads/revocation.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'
import { countOf } from '#web/format/count-of.ts'
import { nameReporter, sayReach } from './name-reporter.ts'

export interface DecideRevocationDialogProps {
  revocation: Revocation
  isApproval: boolean
  onClose: () => void
}

/** Decides a report whose caller had reached the daily limit. */
export function DecideRevocationDialog({ revocation, isApproval, onClose }: DecideRevocationDialogProps) {
  const note = useReason(isApproval ? 'Say why it is approved' : 'Say why it is declined')
  const change = useChange(
    () =>
      request(
        apiPath('admin', 'revocations', revocation.id, isApproval ? 'approve' : 'decline'),
        revocationDetailSchema,
        { method: 'POST', body: { note: note.text } },
      ),
    { done: () => (isApproval ? 'The revocation is in force' : 'Declined'), onDone: onClose },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={isApproval ? 'Let this revocation take effect?' : 'Decline this revocation?'}
      description={`${nameReporter(revocation)} reported ${countOf(revocation.leads, 'lead')} beyond its daily limit. It would count for: ${sayReach(revocation).toLowerCase()}.`}
      submit={isApproval ? 'Approve' : 'Decline'}
      danger={!isApproval}
      dirty={note.text !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => note.askFor(() => change.send(undefined))}
    >
      <ReasonField reason={note} fault={change.faultOf('note')} />
    </ChangeDialog>
  )
}
