import { useState } from 'react'
import type { GivenRole, MemberRole } from '#core/contract/accounts/member-role.ts'
import { memberSchema, type AccountMember } from '#core/contract/accounts/members.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { RadioGroup } from '#web/ui/form/RadioGroup.tsx'
import { namePerson } from '#web/components/name-person.ts'
import { TEAM_KEY } from '#web/api/team.ts'
import { listGivenRoles, nameMemberRole } from './member-roles.ts'

export interface MemberRoleDialogProps {
  member: AccountMember
  own: MemberRole
  onClose: () => void
}

/** Gives a person of the account another role. */
export function MemberRoleDialog({ member, own, onClose }: MemberRoleDialogProps) {
  const before: GivenRole = member.role === 'none' ? 'agent' : member.role
  const [role, setRole] = useState(before)
  const name = namePerson(member)
  const change = useChange(
    () =>
      request(apiPath('account', 'members', member.user_id), memberSchema, {
        method: 'PATCH',
        body: { role, version: member.version },
      }),
    {
      done: () => `${name} has the role ${nameMemberRole(role).toLowerCase()}`,
      onDone: onClose,
      lists: TEAM_KEY,
    },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={`Change the role of ${name}`}
      description="It counts from their next request on, and they get a mail."
      submit="Change role"
      dirty={role !== before}
      canSubmit={role !== before}
      isBusy={change.isBusy}
      failure={
        change.isConflict ? 'Somebody else has changed this role. Close this and look again.' : change.failure
      }
      onSubmit={() => change.send(undefined)}
    >
      <RadioGroup label="Role" value={role} onValueChange={setRole} options={listGivenRoles(own)} />
    </ChangeDialog>
  )
}
