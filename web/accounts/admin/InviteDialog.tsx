import { useState } from 'react'
import { adminPersonSchema } from '#core/contract/accounts/admin-people.ts'
import type { AdminRole } from '#core/contract/accounts/admin-role.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { RadioGroup } from '#web/ui/form/RadioGroup.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { ROLE_OPTIONS } from './name-role.ts'

/** Invites an administrator by email. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<AdminRole>('read_only')
  const reason = useReason()
  const change = useChange(
    () =>
      request(apiPath('admin', 'people'), adminPersonSchema, {
        method: 'POST',
        body: { email, admin_role: role, reason: reason.text },
      }),
    {
      done: (person) => `${person.email} is invited`,
      onDone: onClose,
    },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title="Invite an administrator"
      description="The person gets a mail, and has the role once they accept the invitation. This is also so for people with an account."
      submit="Invite"
      dirty={email !== '' || reason.text !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => reason.askFor(() => change.send(undefined))}
    >
      <Field label="Email" required error={change.faultOf('email')}>
        <TextInput
          type="email"
          autoComplete="off"
          value={email}
          onChange={(event) => {
            setEmail(event.target.value)
            change.reset()
          }}
        />
      </Field>
      <RadioGroup label="Role" value={role} onValueChange={setRole} options={ROLE_OPTIONS} />
      <ReasonField reason={reason} fault={change.faultOf('reason')} />
    </ChangeDialog>
  )
}
