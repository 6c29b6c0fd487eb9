import { useQuery } from '@tanstack/react-query'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { editableWebhookQuery } from '../queries/webhook-configs.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Dialog, DialogClose } from '#web/ui/overlay/Dialog.tsx'
import { Spinner } from '#web/ui/wait/Spinner.tsx'
import { findAddWebhook } from '../list/find-add-webhook.ts'
import { editWebhookValues, NEW_WEBHOOK_VALUES } from './webhook-form-values.ts'
import { ReceiverStep } from './receiver/ReceiverStep.tsx'
import { titleDialog, titleReceiver } from './title-dialog.ts'
import { IDLE, WebhookForm, type FormStatus } from './WebhookForm.tsx'

const SAVE_KEYS = /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘ Enter' : 'Ctrl+Enter'

export interface WebhookDialogProps {
  open: boolean
  /** The configuration to edit; null for a new one. */
  target: WebhookConfig | null
  onClose: () => void
}

export function WebhookDialog({ open, target, onClose }: WebhookDialogProps) {
  const formId = useId()
  const [status, setStatus] = useState(IDLE)
  // Reset at the next opening, so that nothing changes during the closing animation.
  const [created, setCreated] = useState<WebhookConfig | null>(null)
  const [wasOpen, setWasOpen] = useState(open)
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) setCreated(null)
  }
  // The empty list's button disappears with the first webhook.
  const opener = useRef<Element>(null)
  useLayoutEffect(() => {
    if (open) opener.current = document.activeElement
  }, [open])
  const isNew = target === null && !status.made
  const action = isNew ? 'Create' : 'Update'
  const form = { formId, onStatus: setStatus }
  const onOpenChange = (next: boolean) => {
    if (!next) onClose()
  }
  if (created !== null) {
    return (
      <Dialog
        open={open}
        onOpenChange={onOpenChange}
        title={titleReceiver(created)}
        size="xl"
        finalFocus={() => (opener.current?.isConnected === true ? null : findAddWebhook())}
        footer={<DialogClose variant="primary">Done</DialogClose>}
      >
        <ReceiverStep config={created} />
      </Dialog>
    )
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={titleDialog(isNew)}
      size="xl"
      dirty={open && status.dirty}
      footer={
        <>
          <p className="mr-auto hidden text-xs text-muted sm:block">{SAVE_KEYS} saves</p>
          <DialogClose>Cancel</DialogClose>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            busy={status.saving}
            disabled={!status.ready}
            aria-keyshortcuts="Control+Enter Meta+Enter"
          >
            {status.saving ? 'Saving...' : action}
          </Button>
        </>
      }
    >
      {target === null ? (
        <WebhookForm {...form} onSaved={setCreated} configId={null} values={NEW_WEBHOOK_VALUES} />
      ) : (
        <EditWebhook {...form} onSaved={onClose} key={target.id} configId={target.id} />
      )}
    </Dialog>
  )
}

interface EditWebhookProps {
  configId: string
  formId: string
  onStatus: (status: FormStatus) => void
  onSaved: () => void
}

function EditWebhook({ configId, ...form }: EditWebhookProps) {
  const config = useQuery(editableWebhookQuery(configId))
  if (config.isPending) {
    return (
      <div className="flex min-h-96 items-center justify-center">
        <Spinner label="Loading the configuration" />
      </div>
    )
  }
  if (config.isError) {
    return (
      <LoadFailure
        title="This configuration could not be loaded."
        error={config.error}
        onRetry={() => void config.refetch()}
      />
    )
  }
  return <WebhookForm {...form} configId={configId} values={editWebhookValues(config.data)} />
}
