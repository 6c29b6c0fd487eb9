import { z } from 'zod'
import type { AdminPerson } from '#core/contract/accounts/admin-people.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'
import { namePerson } from '#web/components/name-person.ts'

export type PersonAct = 'reset-factor' | 'end-sessions' | 'remove'

const WORDS: Record<PersonAct, { title: string; submit: string; does: string; done: string }> = {
  'reset-factor': {
    title: 'Reset the second factor of',
    submit: 'Reset second factor',
    does: 'Second factors and recovery codes are removed, all sessions end, and the person gets a mail. Be sure that you know who is asking.',
    done: 'has no second factor any more',
  },
  'end-sessions': {
    title: 'End all sessions of',
    submit: 'End sessions',
    does: 'The person is signed out everywhere and can sign in again. Of your own sessions, this one stays.',
    done: 'is signed out everywhere',
  },
  remove: {
    title: 'Remove as an administrator:',
    submit: 'Remove',
    does: 'The person is signed out and has no access to the administration. The account stays, as a client’s.',
    done: 'is no administrator any more',
  },
}

export interface PersonChangeProps {
  person: AdminPerson
  act: PersonAct
  onClose: () => void
}

/** Asks for a reason, then does something to a person's account. */
export function PersonChange({ person, act, onClose }: PersonChangeProps) {
  const reason = useReason()
  const { title, submit, does, done } = WORDS[act]
  const name = namePerson(person)
  const isRemoval = act === 'remove'
  const change = useChange(
    () =>
      request(
        isRemoval
          ? apiPath('admin', 'people', person.user_id)
          : apiPath('admin', 'people', person.user_id, act),
        z.unknown(),
        { method: isRemoval ? 'DELETE' : 'POST', body: { reason: reason.text } },
      ),
    { done: () => `${name} ${done}`, onDone: onClose },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={`${title} ${name}`}
      description={does}
      submit={submit}
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
