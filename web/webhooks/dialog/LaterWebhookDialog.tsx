import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '#web/app/lazy-part.ts'
import { fetchPart } from '#web/app/reload-when-stale.ts'
import { Dialog } from '#web/ui/overlay/Dialog.tsx'
import { Spinner } from '#web/ui/wait/Spinner.tsx'
import { titleDialog } from './title-dialog.ts'
import type { WebhookDialogProps } from './WebhookDialog.tsx'

const fetchDialog = () => import('./WebhookDialog.tsx')
const WebhookDialog = lazyPart('WebhookDialog', async () => (await fetchDialog()).WebhookDialog)

/** Loads and renders the dialog's chunk when the page is idle, or earlier if the dialog is opened. */
export function LaterWebhookDialog(props: WebhookDialogProps) {
  const [isResting, setResting] = useState(false)
  useEffect(
    () =>
      whenIdle(() => {
        // A failure is ignored: opening the dialog tries again.
        fetchPart(fetchDialog).then(
          () => setResting(true),
          () => undefined,
        )
      }),
    [],
  )
  if (!isResting && !props.open) return null
  return (
    <Suspense fallback={<ComingDialog {...props} />}>
      <WebhookDialog {...props} />
    </Suspense>
  )
}

/** Shown if the dialog is opened before it is loaded. */
function ComingDialog({ open, target, onClose }: WebhookDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onClose} title={titleDialog(target === null)} size="xl" startAt="title">
      <div className="flex min-h-96 items-center justify-center">
        <Spinner label="Loading the form" />
      </div>
    </Dialog>
  )
}

/** Safari lacks requestIdleCallback. */
function whenIdle(run: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(run, 300)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(run, { timeout: 2000 })
  return () => cancelIdleCallback(handle)
}
