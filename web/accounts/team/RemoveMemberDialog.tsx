import { z } from 'zod'
import type { AccountMember } from '#core/contract/accounts/members.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { namePerson } from '#web/components/name-person.ts'
import { TEAM_KEY } from '#web/api/team.ts'

/** Asks before a person is removed from the account. */
export function RemoveMemberDialog({ member, onClose }: { member: AccountMember; onClose: () => void }) {
  const name = namePerson(member)
  const change = useChange(
    () => request(apiPath('account', 'members', member.user_id), z.unknown(), { method: 'DELETE' }),
    { done: () => `${name} is removed`, onDone: onClose, lists: TEAM_KEY },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={`Remove ${name}?`}
      description="They are signed out at once and get a mail. Their open leads are shared again, their webhooks are switched off, and their orders are paused."
      submit="Remove"
      danger
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => change.send(undefined)}
    >
      {null}
    </ChangeDialog>
  )
}
