import { sourceSchema, type Source } from '#core/contract/leads/source.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'

/** Asks for a reason, then pauses a source, or ends its pause. */
export function PauseSourceDialog({ source, onClose }: { source: Source; onClose: () => void }) {
  const isPaused = source.paused_at !== null
  const verb = isPaused ? 'Resume' : 'Pause'
  const reason = useReason()
  const change = useChange(
    () =>
      request(apiPath('admin', 'sources', source.id, isPaused ? 'resume' : 'pause'), sourceSchema, {
        method: 'POST',
        body: { reason: reason.text },
      }),
    {
      done: ({ name }) =>
        isPaused ? `${name} is resumed: its leads are accepted` : `${name} is paused: its leads are refused`,
      onDone: onClose,
    },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={`${verb} ${source.name}?`}
      description={
        isPaused
          ? `${source.pause_reason === null ? '' : `It was paused because: ${source.pause_reason}. `}Its leads are accepted again. Those refused meanwhile come only if its sender sends them again.`
          : 'Until you resume it, its sender gets 403 and none of its leads is stored. Leads that came before are sold and delivered, and imports go on.'
      }
      submit={`${verb} source`}
      dirty={reason.text !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => reason.askFor(() => change.send(undefined))}
    >
      <ReasonField
        reason={reason}
        fault={change.faultOf('reason')}
        {...(!isPaused && {
          hint: 'Administrators read it in the list of sources. The audit log keeps it for good, so name no people.',
        })}
      />
    </ChangeDialog>
  )
}
