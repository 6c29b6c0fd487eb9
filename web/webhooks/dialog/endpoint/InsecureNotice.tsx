import { TriangleAlert } from 'lucide-react'
import { useWatch } from 'react-hook-form'
import { isSentInTheClear } from './is-sent-in-the-clear.ts'
import type { WebhookFormValues } from '../webhook-form-values.ts'

/** Warns about a URL with plain http://. Such an endpoint can still be saved. */
export function InsecureNotice() {
  const url = useWatch<WebhookFormValues, 'endpoint_url'>({ name: 'endpoint_url' })
  return (
    <div role="status">
      {isSentInTheClear(url) && (
        <p className="flex items-start gap-1.5 text-xs text-muted">
          <TriangleAlert aria-hidden className="mt-px size-3.5 shrink-0 text-waiting" />
          Plain http:// is not encrypted: names and phone numbers can be read on the way. Use https:// where
          the endpoint has it.
        </p>
      )}
    </div>
  )
}
