import { heldReturnSchema, type HeldReturn } from '#core/contract/market/lead-return.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { formatMoney, sayRest } from '#web/format/money.ts'
import { words } from '#web/format/words.ts'
import { askEvidenceLink } from '#web/components/admin/ask-evidence-link.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'
import { EvidenceFiles } from '#web/components/evidence/EvidenceFiles.tsx'

export interface ReturnDecisionProps {
  request: HeldReturn
  isApproval: boolean
  onClose: () => void
}

export function ReturnDecision({ request: asked, isApproval, onClose }: ReturnDecisionProps) {
  const reason = useReason('Say why it is denied')
  const change = useChange(
    () =>
      request(apiPath('admin', 'returns', asked.id, isApproval ? 'approve' : 'deny'), heldReturnSchema, {
        method: 'POST',
        body: { note: reason.text },
      }),
    {
      done: ({ price }) => {
        if (!isApproval) return 'Return denied'
        return `Return approved: ${Number(price) > 0 ? `${formatMoney(price)} went back to the client` : 'nothing was left to pay back'}`
      },
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
          ? `${asked.client.name} gets ${sayRest(asked.price)} back and no longer sees whose lead it was.`
          : `The lead stays with ${asked.client.name}, who may not ask again.`
      }
      submit={isApproval ? 'Approve' : 'Deny'}
      danger={!isApproval}
      dirty={reason.text !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      // An approval needs no reason, because the client has given one.
      onSubmit={() => (isApproval ? change.send(undefined) : reason.askFor(() => change.send(undefined)))}
    >
      <p className="text-sm">
        {words(asked.reason)}
        {asked.note !== null && <span className="block break-words text-muted">{`“${asked.note}”`}</span>}
      </p>
      <EvidenceFiles files={asked.evidence} askLink={askEvidenceLink} />
      <ReasonField
        reason={reason}
        fault={change.faultOf('note')}
        label="Note"
        hint="The client reads it."
        required={!isApproval}
        maxLength={1000}
      />
    </ChangeDialog>
  )
}
