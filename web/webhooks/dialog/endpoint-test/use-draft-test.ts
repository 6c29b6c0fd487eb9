import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import type { EndpointTestResult } from '#core/contract/webhooks/delivery.ts'
import { isMailUrl } from '#core/domain/webhooks/by-mail/mail-address.ts'
import { toast } from '#web/ui/overlay/toast.ts'
import { useTestEndpoint, type EndpointDraft } from '../../queries/webhook-endpoint-test.ts'
import { findHeadersFault, findJsonObjectFault } from '../check-json-object.ts'
import { INVALID_JSON_MESSAGE, type WebhookFormValues } from '../webhook-form-values.ts'

const NO_ANSWER: EndpointTestResult = {
  success: false,
  message: '',
  error: null,
  response_status: null,
  duration_ms: null,
  response_body: null,
  outcome: null,
  receiver_id: null,
}

/** A result with the tested values, to say so when they have changed. */
export interface KeptResult {
  result: EndpointTestResult
  draft: string
  /** the tested values in short */
  tested: string
  isMail: boolean
}

export interface DraftTest {
  /** Builds the request from the form. */
  write: (values: WebhookFormValues) => EndpointDraft
  /** The template that the test sends, as JSON text; undefined for a default one. */
  templateOf: (values: WebhookFormValues) => string | undefined
}

/** Tests the form's values. The result is kept until the next one, so that a fault can be corrected while it is read. */
export function useDraftTest({ write, templateOf }: DraftTest): {
  run: () => void
  isPending: boolean
  kept: KeptResult | null
} {
  const { getValues } = useFormContext<WebhookFormValues>()
  const test = useTestEndpoint()
  const [kept, setKept] = useState<KeptResult | null>(null)
  const run = () => {
    const values = getValues()
    const template = templateOf(values)
    const isTemplateFaulty = template !== undefined && findJsonObjectFault(template) !== null
    if (isTemplateFaulty || findHeadersFault(values.custom_headers) !== null) {
      toast.error(INVALID_JSON_MESSAGE)
      return
    }
    const draft = write(values)
    const keep = (result: EndpointTestResult) =>
      setKept({
        result,
        draft: JSON.stringify(draft),
        tested: sayTested(draft),
        isMail: isMailUrl(draft.endpoint_url),
      })
    test.mutate(draft, {
      onSuccess: keep,
      onError: () => {
        keep(NO_ANSWER)
        toast.error('Failed to test webhook endpoint')
      },
    })
  }
  return { run, isPending: test.isPending, kept }
}

function sayTested({ event, http_method: method, endpoint_url: url }: EndpointDraft): string {
  const address = isMailUrl(url) ? url : `${method} ${url}`
  return event === undefined ? address : `${event} · ${address}`
}
