import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import type { AccountMember } from '#core/contract/accounts/members.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ME_KEY } from '#web/api/me-key.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { namePerson } from '#web/components/name-person.ts'
import { TEAM_KEY } from '#web/api/team.ts'

/** Makes somebody else the owner; the person who hands over becomes a manager. */
export function HandOverDialog({
  members,
  onClose,
}: {
  members: readonly AccountMember[]
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const [to, setTo] = useState(members[0]?.user_id ?? '')
  const change = useChange(
    () => request(apiPath('account', 'members', 'hand-over'), z.unknown(), { method: 'POST', body: { to } }),
    {
      done: () => 'The account has a new owner',
      onDone: () => {
        void queryClient.invalidateQueries({ queryKey: ME_KEY })
        onClose()
      },
      lists: TEAM_KEY,
    },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title="Hand over ownership"
      description="The new owner decides on balance, people and business. You become a manager. Both of you get a mail."
      submit="Hand over"
      danger
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => change.send(undefined)}
    >
      <Field label="New owner">
        <Select
          value={to}
          onValueChange={setTo}
          options={members.map((member) => ({ value: member.user_id, label: namePerson(member) }))}
        />
      </Field>
    </ChangeDialog>
  )
}
