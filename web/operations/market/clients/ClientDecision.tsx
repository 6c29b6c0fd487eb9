import { useState } from 'react'
import { adminClientDetailSchema, type AdminClient } from '#core/contract/market/admin-client.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { TextArea } from '#web/ui/form/TextArea.tsx'
import { ChangeDialog } from '../ChangeDialog.tsx'
import { useChange } from '../use-change.ts'
import { nameClient } from './name-client.ts'

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

/** Asks why, then decides. */
export function ClientDecision({ client, decision, onClose }: ClientDecisionProps) {
  const [note, setNote] = useState('')
  const { title, submit, does, done } = WORDS[decision]
  const name = nameClient(client)
  const change = useChange(
    () =>
      request(apiPath('admin', 'clients', client.user_id, decision), adminClientDetailSchema, {
        method: 'POST',
        body: decision === 'suspend' ? { reason: note } : { note },
      }),
    { done: () => `${name} ${done}`, onDone: onClose },
  )
  const fault = change.faultOf(decision === 'suspend' ? 'reason' : 'note')
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={`${title} ${name}?`}
      description={does}
      submit={submit}
      danger={decision === 'suspend'}
      dirty={note !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => change.send(undefined)}
    >
      <Field
        label={decision === 'suspend' ? 'Reason' : 'Note'}
        required={decision === 'suspend'}
        hint="For administrators alone, and kept for good: name no people."
        {...(fault !== undefined && { error: fault })}
      >
        <TextArea rows={3} maxLength={500} value={note} onChange={(event) => setNote(event.target.value)} />
      </Field>
    </ChangeDialog>
  )
}
