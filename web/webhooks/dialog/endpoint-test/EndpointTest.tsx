import clsx from 'clsx'
import { FlaskConical } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import type { EndpointTestResult } from '#core/contract/webhooks/delivery.ts'
import { isMailUrl } from '#core/domain/webhooks/by-mail/mail-address.ts'
import { useTestEndpoint } from '../../queries/webhook-endpoint-test.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { findHeadersFault, findJsonObjectFault } from '../check-json-object.ts'
import { TestResult } from './TestResult.tsx'
import { INVALID_JSON_MESSAGE, type WebhookFormValues } from '../webhook-form-values.ts'
import { writeEndpointDraft } from './write-endpoint-draft.ts'

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
interface Shown {
  result: EndpointTestResult
  draft: string
  tested: string
  isMail: boolean
}

/** `configId` names the saved configuration whose stored values replace the masks in the form. */
export function EndpointTest({ configId }: { configId: string | null }) {
  const { getValues } = useFormContext<WebhookFormValues>()
  const url = useWatch<WebhookFormValues, 'endpoint_url'>({ name: 'endpoint_url' })
  const test = useTestEndpoint()
  // Kept until the next test has a result, so that a fault can be corrected while it is read.
  const [shown, setShown] = useState<Shown | null>(null)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (shown !== null) place.current?.scrollIntoView({ block: 'nearest' })
  }, [shown])

  const run = () => {
    const values = getValues()
    if (
      findHeadersFault(values.custom_headers) !== null ||
      findJsonObjectFault(values.payload_template) !== null
    ) {
      toast.error(INVALID_JSON_MESSAGE)
      return
    }
    const draft = writeEndpointDraft(values, configId)
    const isMail = isMailUrl(draft.endpoint_url)
    const keep = (result: EndpointTestResult) =>
      setShown({
        result,
        draft: JSON.stringify(draft),
        tested: isMail ? draft.endpoint_url : `${draft.http_method} ${draft.endpoint_url}`,
        isMail,
      })
    test.mutate(draft, {
      onSuccess: keep,
      onError: () => {
        keep(NO_ANSWER)
        toast.error('Failed to test webhook endpoint')
      },
    })
  }

  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          icon={<FlaskConical aria-hidden className="size-4" />}
          busy={test.isPending}
          disabled={url.trim() === ''}
          onClick={run}
        >
          {test.isPending ? 'Testing...' : 'Test Endpoint'}
        </Button>
        <p className="min-w-0 flex-1 basis-44 text-xs text-muted">
          Sends a fictional lead exactly as a delivery would be sent. Nothing is logged or saved.
        </p>
      </div>
      <div
        ref={place}
        role="status"
        className={clsx('scroll-my-5 transition-opacity', test.isPending && 'opacity-50')}
      >
        {shown !== null && <KeptResult shown={shown} configId={configId} />}
      </div>
      {shown === null && (
        <p className="hidden flex-1 items-center justify-center rounded-lg border border-dashed border-line p-4 text-center text-xs text-muted lg:flex">
          The answer of your endpoint will appear here.
        </p>
      )}
    </div>
  )
}

function KeptResult({ shown, configId }: { shown: Shown; configId: string | null }) {
  const { getValues } = useFormContext<WebhookFormValues>()
  // Subscribes to every field.
  useWatch<WebhookFormValues>()
  const now = JSON.stringify(writeEndpointDraft(getValues(), configId))
  const { result, tested, isMail } = shown
  return <TestResult result={result} tested={tested} isMail={isMail} isOutdated={now !== shown.draft} />
}
