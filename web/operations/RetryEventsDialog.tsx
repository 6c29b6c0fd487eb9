import { retryResultSchema } from '#core/contract/operations/dead-letter.ts'
import { apiPath } from '../api/api-path.ts'
import { request } from '../api/client.ts'
import { ChangeDialog } from '../components/admin/ChangeDialog.tsx'
import { ReasonField } from '../components/admin/ReasonField.tsx'
import { useChange } from '../components/admin/use-change.ts'
import { useReason } from '../components/admin/use-reason.ts'
import { countOf } from '../format/count-of.ts'
import { OPERATIONS_KEY } from './operation-queries.ts'

/** Asks for a reason, then has all events planned again that could not be planned. */
export function RetryEventsDialog({ onClose }: { onClose: () => void }) {
  const reason = useReason()
  const change = useChange(
    () =>
      request(apiPath('admin', 'retry-failed'), retryResultSchema, {
        method: 'POST',
        body: { kind: 'events', note: reason.text },
      }),
    {
      done: ({ count }) => `${countOf(count, 'event')} ${count === 1 ? 'is' : 'are'} planned again`,
      onDone: onClose,
      lists: OPERATIONS_KEY,
    },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title="Plan all failed events again?"
      description="Workers plan them within half a minute, and their deliveries go out. If what PostgreSQL refused is not corrected, they fail again."
      submit="Plan again"
      dirty={reason.text !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => reason.askFor(() => change.send(undefined))}
    >
      <ReasonField reason={reason} fault={change.faultOf('note')} />
    </ChangeDialog>
  )
}
