import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '#web/app/lazy-part.ts'
import { fetchPart } from '#web/app/reload-when-stale.ts'
import { Dialog } from '#web/ui/overlay/Dialog.tsx'
import { Spinner } from '#web/ui/wait/Spinner.tsx'
import { titleDialog } from './title-dialog.ts'
import type { WebhookDialogProps } from './WebhookDialog.tsx'

const fetchDialog = () => import('./WebhookDialog.tsx')
const WebhookDialog = lazyPart('WebhookDialog', async () => (await fetchDialog()).WebhookDialog)

/** The dialog in a chunk of its own, fetched and made ready once the page around it rests; sooner where it is opened sooner. */
export function LaterWebhookDialog(props: WebhookDialogProps) {
  const [isResting, setResting] = useState(false)
  useEffect(
    () =>
      whenIdle(() => {
        // A page without a connection is left as it is: opening the dialog asks again.
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

/** Who is quicker than the line sees that the press was heard, and what is waited for. */
function ComingDialog({ open, target, onClose }: WebhookDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onClose} title={titleDialog(target === null)} size="xl" startAt="title">
      <div className="flex min-h-96 items-center justify-center">
        <Spinner label="Loading the form" />
      </div>
    </Dialog>
  )
}

/** Safari has no idle callbacks. */
function whenIdle(run: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(run, 300)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(run, { timeout: 2000 })
  return () => cancelIdleCallback(handle)
}
