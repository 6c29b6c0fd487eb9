import { lazy, Suspense, useEffect, useState } from 'react'
import type { WebhookDialogProps } from './WebhookDialog.tsx'

const WebhookDialog = lazy(async () => ({ default: (await import('./WebhookDialog.tsx')).WebhookDialog }))

/** The dialog in a chunk of its own, fetched and made ready once the page around it rests; sooner where it is opened sooner. */
export function LaterWebhookDialog(props: WebhookDialogProps) {
  const [isResting, setResting] = useState(false)
  useEffect(() => whenIdle(() => setResting(true)), [])
  if (!isResting && !props.open) return null
  return (
    <Suspense fallback={null}>
      <WebhookDialog {...props} />
    </Suspense>
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
