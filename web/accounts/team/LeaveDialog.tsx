import { z } from 'zod'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useAuth } from '#web/session/auth-context.ts'
import { TEAM_KEY } from '#web/api/team.ts'

/** Asks before a person leaves the account. Their sessions end with it. */
export function LeaveDialog({ onClose }: { onClose: () => void }) {
  const { signOut } = useAuth()
  const change = useChange(
    () => request(apiPath('account', 'members', 'leave'), z.unknown(), { method: 'POST' }),
    { onDone: () => void signOut(), lists: TEAM_KEY },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title="Leave this account?"
      description="You are signed out everywhere. Your open leads are shared again, your webhooks are switched off, and your orders are paused."
      submit="Leave"
      danger
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => change.send(undefined)}
    >
      {null}
    </ChangeDialog>
  )
}
