import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import type { ClientEvent } from '#core/contract/events.ts'
import type { EndpointTestResult } from '#core/contract/webhooks/delivery.ts'
import { isMailUrl } from '#core/domain/webhooks/by-mail/mail-address.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { useTestEndpoint } from '../../queries/webhook-endpoint-test.ts'
import { findHeadersFault, findJsonObjectFault } from '../check-json-object.ts'
import { TestResult } from '../endpoint-test/TestResult.tsx'
import { INVALID_JSON_MESSAGE, type WebhookFormValues } from '../webhook-form-values.ts'
import { writeEventDraft } from '../endpoint-test/write-endpoint-draft.ts'

interface Shown {
  result: EndpointTestResult
  draft: string
  tested: string
  isMail: boolean
}

/** Sends the example of an event in its template, as the form has both, and shows the answer. */
export function EventTest({ event, configId }: { event: ClientEvent; configId: string | null }) {
  const { getValues } = useFormContext<WebhookFormValues>()
  const url = useWatch<WebhookFormValues, 'endpoint_url'>({ name: 'endpoint_url' })
  const test = useTestEndpoint()
  const [shown, setShown] = useState<Shown | null>(null)

  const run = () => {
    const values = getValues()
    const own = values.event_templates[event]
    if (
      findHeadersFault(values.custom_headers) !== null ||
      (own !== undefined && findJsonObjectFault(own) !== null)
    ) {
      toast.error(INVALID_JSON_MESSAGE)
      return
    }
    const draft = writeEventDraft(values, configId, event)
    const isMail = isMailUrl(draft.endpoint_url)
    test.mutate(draft, {
      onSuccess: (result) =>
        setShown({
          result,
          tested: `${event} · ${isMail ? '' : `${draft.http_method} `}${draft.endpoint_url}`,
          isMail,
          draft: JSON.stringify(draft),
        }),
      onError: () => toast.error('Failed to test webhook endpoint'),
    })
  }

  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="sm"
          icon={<FlaskConical aria-hidden className="size-3.5" />}
          busy={test.isPending}
          disabled={url.trim() === ''}
          aria-label={test.isPending ? undefined : `Send test of ${event}`}
          onClick={run}
        >
          {test.isPending ? 'Testing...' : 'Send test'}
        </Button>
        <span className="text-xs text-muted">An example, marked as a test. Nothing is logged.</span>
      </div>
      <div role="status" className="min-w-0">
        {shown !== null && <Answer shown={shown} event={event} configId={configId} />}
      </div>
    </>
  )
}

interface AnswerProps {
  shown: Shown
  event: ClientEvent
  configId: string | null
}

function Answer({ shown, event, configId }: AnswerProps) {
  const { getValues } = useFormContext<WebhookFormValues>()
  // Subscribes to every field.
  useWatch<WebhookFormValues>()
  const now = JSON.stringify(writeEventDraft(getValues(), configId, event))
  const { result, tested, isMail } = shown
  return <TestResult result={result} tested={tested} isMail={isMail} isOutdated={now !== shown.draft} />
}
