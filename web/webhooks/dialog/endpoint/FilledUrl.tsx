import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { sampleValues } from '#core/domain/leads/sample-lead.ts'
import { compileAddress, fillAddress } from '#core/domain/webhooks/template/fill-address.ts'
import { refuseInUrl } from '#core/domain/webhooks/template/check-address.ts'
import type { WebhookFormValues } from '../webhook-form-values.ts'

/** The URL as it is sent for the fictional lead, if placeholders are in its query. */
export function FilledUrl() {
  const url = useWatch<WebhookFormValues, 'endpoint_url'>({ name: 'endpoint_url' })
  const filled = useMemo(() => fillUrl(url), [url])
  return (
    <div role="status">
      {filled !== undefined && (
        <p className="text-xs text-muted">
          For the fictional lead: <code className="font-mono break-all">{filled}</code>
        </p>
      )}
    </div>
  )
}

function fillUrl(url: string): string | undefined {
  const address = refuseInUrl(url) === undefined ? compileAddress(url, {}) : undefined
  try {
    return address && fillAddress(address, sampleValues('test', new Date()), () => undefined).url
  } catch {
    // Too long: saving it is no fault, because a lead's values may be shorter.
    return undefined
  }
}
