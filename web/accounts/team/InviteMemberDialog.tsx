import { useState } from 'react'
import type { GivenRole, MemberRole } from '#core/contract/accounts/member-role.ts'
import { memberInvitationSchema } from '#core/contract/accounts/members.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { RadioGroup } from '#web/ui/form/RadioGroup.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { TEAM_KEY } from '#web/api/team.ts'
import { listGivenRoles } from './member-roles.ts'

/** Invites a person to the account by email. */
export function InviteMemberDialog({ own, onClose }: { own: MemberRole; onClose: () => void }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<GivenRole>('agent')
  const change = useChange(
    () =>
      request(apiPath('account', 'members', 'invitations'), memberInvitationSchema, {
        method: 'POST',
        body: { email, role },
      }),
    { done: (invitation) => `${invitation.email} is invited`, onDone: onClose, lists: TEAM_KEY },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title="Invite a person"
      description="They get a mail with a link that works for 7 days. One balance pays for everybody’s leads."
      submit="Invite"
      dirty={email !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => change.send(undefined)}
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
      <RadioGroup label="Role" value={role} onValueChange={setRole} options={listGivenRoles(own)} />
    </ChangeDialog>
  )
}
