import { adminClientDetailSchema, type AdminClient } from '#core/contract/market/admin-client.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'

export type Decision = 'approve' | 'suspend' | 'resume'

const WORDS: Record<Decision, { title: string; submit: string; does: string; done: string }> = {
  approve: {
    title: 'Approve',
    submit: 'Approve',
    does: 'The client’s orders begin to receive leads as far as the balance goes.',
    done: 'approved',
  },
  suspend: {
    title: 'Suspend',
    submit: 'Suspend',
    does: 'The client can no longer sign in and receives no leads, also of sources that name the client. Orders and balance stay as they are.',
    done: 'suspended',
  },
  resume: {
    title: 'End the suspension of',
    submit: 'Resume',
    does: 'The client can sign in again, and active orders go on.',
    done: 'resumed',
  },
}

export interface ClientDecisionProps {
  client: AdminClient
  decision: Decision
  onClose: () => void
}

/** Asks for a reason, then decides about a client. */
export function ClientDecision({ client, decision, onClose }: ClientDecisionProps) {
  const reason = useReason()
  const { title, submit, does, done } = WORDS[decision]
  const name = client.display_name
  const field = decision === 'suspend' ? 'reason' : 'note'
  const change = useChange(
    () =>
      request(apiPath('admin', 'clients', client.user_id, decision), adminClientDetailSchema, {
        method: 'POST',
        body: { [field]: reason.text },
      }),
    { done: () => `${name} ${done}`, onDone: onClose },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={`${title} ${name}?`}
      description={does}
      submit={submit}
      danger={decision === 'suspend'}
      dirty={reason.text !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => reason.askFor(() => change.send(undefined))}
    >
      <ReasonField reason={reason} fault={change.faultOf(field)} />
    </ChangeDialog>
  )
}
