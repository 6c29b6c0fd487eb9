import { useState } from 'react'
import { adminPersonSchema, type AdminPerson } from '#core/contract/accounts/admin-people.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'
import { RadioGroup } from '#web/ui/form/RadioGroup.tsx'
import { namePerson } from '#web/components/name-person.ts'
import { nameRole, ROLE_OPTIONS } from './name-role.ts'

/** Gives an administrator another role. */
export function RoleDialog({ person, onClose }: { person: AdminPerson; onClose: () => void }) {
  const before = person.admin_role ?? 'read_only'
  const [role, setRole] = useState(before)
  const reason = useReason()
  const name = namePerson(person)
  const change = useChange(
    () =>
      request(apiPath('admin', 'people', person.user_id), adminPersonSchema, {
        method: 'PATCH',
        body: { admin_role: role, reason: reason.text },
      }),
    { done: () => `${name} has the role ${nameRole(role).toLowerCase()}`, onDone: onClose },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={`Change the role of ${name}`}
      description="It counts from their next request on, and they get a mail."
      submit="Change role"
      dirty={role !== before || reason.text !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => reason.askFor(() => change.send(undefined))}
    >
      <RadioGroup label="Role" value={role} onValueChange={setRole} options={ROLE_OPTIONS} />
      <ReasonField reason={reason} fault={change.faultOf('reason')} />
    </ChangeDialog>
  )
}
