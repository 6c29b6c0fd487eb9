import { leadErasedSchema } from '#core/contract/leads/lead.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useReason } from '#web/components/admin/use-reason.ts'
import { countOf } from '#web/format/count-of.ts'
import { useLeadChange } from './use-lead-change.ts'

export function EraseLeadDialog({ leadId, onClose }: { leadId: string; onClose: () => void }) {
  const reason = useReason()
  const change = useLeadChange(
    () =>
      request(apiPath('admin', 'leads', leadId, 'erase'), leadErasedSchema, {
        method: 'POST',
        body: { reason: reason.text },
      }),
    {
      done: ({ erased_files: files }) =>
        files === 0 ? 'The lead was erased' : `The lead was erased, with ${countOf(files, 'file')}`,
      onDone: onClose,
    },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title="Erase the person of this lead?"
      description="Everything about the person in this lead is removed for good, and the person is suppressed. Counts and prices stay. To erase a person from all leads, use Compliance."
      submit="Erase"
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
