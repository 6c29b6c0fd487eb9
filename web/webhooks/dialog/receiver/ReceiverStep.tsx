import { Send } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { EndpointTestResult } from '#core/contract/webhooks/delivery.ts'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { isMailUrl } from '#core/domain/webhooks/by-mail/mail-address.ts'
import { useTestWebhook } from '#web/webhooks/queries/webhook-endpoint-test.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { TestResult } from '../endpoint-test/TestResult.tsx'
import { RequestHeaders } from './RequestHeaders.tsx'
import { SecretValue } from './SecretValue.tsx'
import { VerificationSamples } from './VerificationSamples.tsx'

/** The last step of Create: what the receiver needs before the first lead. A mailbox needs nothing. */
export function ReceiverStep({ config }: { config: WebhookConfig }) {
  const isMail = isMailUrl(config.endpoint_url)
  // The focused button disappeared with the form.
  const step = useRef<HTMLElement>(null)
  useEffect(() => step.current?.focus(), [])
  return (
    <section
      ref={step}
      tabIndex={-1}
      aria-label={`${config.webhook_name} was created`}
      className="@container outline-none"
    >
      <div className="grid gap-x-8 gap-y-6 @3xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          <p className="text-sm text-muted">
            <span className="font-medium text-ink">{config.webhook_name}</span> {describeStart(config)}{' '}
            {isMail
              ? 'Send a test, and see that it is not taken for spam.'
              : 'Leads are signed. With the secret, your receiver can check that they come from here.'}
          </p>
          {!isMail && (
            <Part title="Signing secret">
              <SecretValue configId={config.id} />
              <p className="text-xs text-muted">You find it again under Edit, in “Signing secret”.</p>
            </Part>
          )}
          <Part title="Send a test">
            <TestSaved configId={config.id} isMail={isMail} />
          </Part>
          {!isMail && <RequestHeaders />}
        </div>
        {!isMail && <VerificationSamples />}
      </div>
    </section>
  )
}

function describeStart({ is_active, trigger_on_lead_assigned, trigger_on_lead_created }: WebhookConfig) {
  if (!is_active) return 'is inactive: nothing is sent until you activate it.'
  if (trigger_on_lead_assigned) return 'is active: the next lead assigned to you is sent to it.'
  return trigger_on_lead_created
    ? 'is active: the next lead received for you is sent to it.'
    : 'is active, but neither trigger is on: nothing is sent until you choose one under Edit.'
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-2">
      <h3 className="text-sm font-medium">{title}</h3>
      {children}
    </section>
  )
}

function TestSaved({ configId, isMail }: { configId: string; isMail: boolean }) {
  const test = useTestWebhook()
  // Kept until the next test has a result, or none.
  const [result, setResult] = useState<EndpointTestResult | null>(null)
  const run = () =>
    test.mutate(configId, {
      onSuccess: setResult,
      onError: () => {
        setResult(null)
        toast.error('Failed to test webhook endpoint')
      },
    })
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button icon={<Send aria-hidden className="size-4" />} busy={test.isPending} onClick={run}>
          {test.isPending ? 'Testing...' : 'Send a test'}
        </Button>
        <p className="min-w-0 flex-1 basis-44 text-xs text-muted">
          {isMail
            ? 'A fictional lead, sent as a delivery would be.'
            : 'A fictional lead, signed and sent as a delivery would be.'}
        </p>
      </div>
      <div role="status">{result !== null && <TestResult result={result} isMail={isMail} />}</div>
    </>
  )
}
