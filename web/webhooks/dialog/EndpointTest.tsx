import clsx from 'clsx'
import { CircleCheck, CircleX, FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import type { EndpointTestResult } from '#core/contract/webhooks/delivery.ts'
import { useTestEndpoint } from '../queries/webhook-endpoint-test.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { CodeBlock } from '#web/ui/show/CodeBlock.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { writeAccess } from './access/access-values.ts'
import { findHeadersFault, findJsonObjectFault } from './check-json-object.ts'
import { INVALID_JSON_MESSAGE, writeWebhookFields, type WebhookFormValues } from './webhook-form-values.ts'

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

/** `configId` names the saved configuration whose stored values stand behind the masks in the form. */
export function EndpointTest({ configId }: { configId: string | null }) {
  const { getValues } = useFormContext<WebhookFormValues>()
  const url = useWatch<WebhookFormValues, 'endpoint_url'>({ name: 'endpoint_url' })
  const test = useTestEndpoint()
  // Kept until the next test has its own, so that a fault can be mended while it is read.
  const [result, setResult] = useState<EndpointTestResult | null>(null)

  const run = () => {
    const held = getValues()
    const values = writeWebhookFields(held)
    const { endpoint_url, request_method, payload_type, custom_headers, payload_template } = values
    const { missing_values, success_rule, capture_path } = values
    if (findHeadersFault(custom_headers) !== null || findJsonObjectFault(payload_template) !== null) {
      toast.error(INVALID_JSON_MESSAGE)
      return
    }
    test.mutate(
      {
        ...(configId === null ? {} : { webhookId: configId }),
        endpoint_url,
        http_method: request_method,
        payload_type,
        custom_headers,
        payload_template,
        // docs/product.md §7 names the five above; these are sent only where they ask for something.
        ...(missing_values === 'empty' ? {} : { missing_values }),
        ...(success_rule === null ? {} : { success_rule }),
        ...(capture_path === null ? {} : { capture_path }),
        ...writeAccess(held),
      },
      {
        onSuccess: setResult,
        onError: () => {
          setResult(NO_ANSWER)
          toast.error('Failed to test webhook endpoint')
        },
      },
    )
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
        <p className="min-w-0 flex-1 text-xs text-muted">
          Sends a fictional lead exactly as a delivery would be sent. Nothing is logged or saved.
        </p>
      </div>
      <div role="status" className={clsx('transition-opacity', test.isPending && 'opacity-50')}>
        {result !== null && <TestResult result={result} />}
      </div>
    </div>
  )
}

function TestResult({ result }: { result: EndpointTestResult }) {
  const { success, message, error, response_status, duration_ms, response_body } = result
  const shown = message || (success ? 'Test successful' : 'Test failed')
  const facts = [
    response_status === null ? null : `HTTP ${response_status}`,
    duration_ms === null ? null : `${duration_ms.toLocaleString('en-US')} ms`,
  ].filter((fact) => fact !== null)
  const Icon = success ? CircleCheck : CircleX
  return (
    <div className="rounded-lg border border-line bg-surface">
      <div className="flex items-start gap-2.5 px-3 py-2.5 text-sm">
        <Icon
          aria-hidden
          className={clsx('mt-0.5 size-4 shrink-0', success ? 'text-success' : 'text-failure')}
        />
        <div className="min-w-0 flex-1">
          <p className={clsx('font-medium break-words', success ? 'text-success' : 'text-failure')}>
            {shown}
          </p>
          {error !== null && error !== '' && !shown.includes(error) && (
            <p className="mt-0.5 break-words text-muted">{error}</p>
          )}
          {facts.length > 0 && <p className="mt-0.5 text-xs text-muted tabular">{facts.join(' · ')}</p>}
        </div>
      </div>
      {response_body !== null && response_body !== '' && (
        <CodeBlock
          label="Response body"
          headed
          code={response_body}
          className="rounded-t-none border-x-0 border-b-0 [&_pre]:max-h-48"
        />
      )}
    </div>
  )
}
