import { revocationReportedSchema } from '#core/contract/leads/revocation.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useReason } from '#web/components/admin/use-reason.ts'
import { useLeadChange } from '../acts/use-lead-change.ts'

export interface RevokeDialogProps {
  /** the person by a phone or address, or by a lead */
  about: { contact: string } | { lead_id: string }
  onClose: () => void
}

/** Asks how the person revoked, before every client who holds a lead is told. */
export function RevokeDialog({ about, onClose }: RevokeDialogProps) {
  const reason = useReason('Say how the person revoked')
  const change = useLeadChange(
    () =>
      request(apiPath('admin', 'revocations'), revocationReportedSchema, {
        method: 'POST',
        body: { ...about, reason: reason.text },
      }),
    {
      done: ({ outcome }) => (outcome === 'known' ? 'It was revoked before' : 'Consent is revoked'),
      onDone: onClose,
    },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title="Revoke this person’s consent?"
      description="At once, the person is sold to nobody, and every client who holds or held a lead is told and has ten business days to acknowledge. This cannot be taken back."
      submit="Revoke consent"
      danger
      dirty={reason.text !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => reason.askFor(() => change.send(undefined))}
    >
      <ReasonField
        reason={reason}
        fault={change.faultOf('reason') ?? change.faultOf('contact')}
        hint="For example: asked by letter. It is kept for good. Write no name or address."
      />
    </ChangeDialog>
  )
}
