import { z } from 'zod'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from './ChangeDialog.tsx'
import { ReasonField } from './ReasonField.tsx'
import { useChange } from './use-change.ts'
import { useReason } from './use-reason.ts'

export interface RemovalDialogProps {
  /** API path of the resource to remove */
  path: string
  title: string
  description: string
  /** Label of the button, and the toast afterwards. */
  submit: string
  done: string
  onDone: () => void
  onClose: () => void
}

/** Asks for a reason, then removes a resource. */
export function RemovalDialog(props: RemovalDialogProps) {
  const reason = useReason()
  const change = useChange(
    () => request(props.path, z.undefined(), { method: 'DELETE', body: { note: reason.text } }),
    { done: () => props.done, onDone: props.onDone },
  )
  return (
    <ChangeDialog
      open
      onClose={props.onClose}
      title={props.title}
      description={props.description}
      submit={props.submit}
      danger
      dirty={reason.text !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => reason.askFor(() => change.send(undefined))}
    >
      <ReasonField reason={reason} fault={change.faultOf('note')} />
    </ChangeDialog>
  )
}
