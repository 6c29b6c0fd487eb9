import { z } from 'zod'
import type { ServiceKey } from '#core/contract/accounts/service-key.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'

/** Asks for a reason, then ends a service key, or all keys that are not listed. */
export function RevokeServiceKeyDialog({
  serviceKey: { id, program, key_ending: ending, is_listed: isListed },
  onClose,
}: {
  serviceKey: ServiceKey
  onClose: () => void
}) {
  const reason = useReason()
  const change = useChange(
    () =>
      request(apiPath('admin', 'service-keys', id, 'revoke'), z.undefined(), {
        method: 'POST',
        body: { reason: reason.text },
      }),
    { done: () => (isListed ? `The key of ${program} is revoked` : `${program}: revoked`), onDone: onClose },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={isListed ? `Revoke the key of ${program}?` : 'Revoke all keys that are not listed?'}
      description={
        isListed
          ? `The next call with the key${ending === null ? '' : ` that ends in ${ending}`} is refused. It cannot be made valid again.`
          : 'They were made before keys were listed, or without the database. The next call with any of them is refused, and none can be made valid again.'
      }
      submit="Revoke"
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
