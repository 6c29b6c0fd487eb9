import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { Link } from 'react-router-dom'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { isMailUrl } from '#core/domain/webhooks/by-mail/mail-address.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { webhooksPath } from '#web/paths.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { ReceiverStep } from '#web/webhooks/dialog/receiver/ReceiverStep.tsx'
import { titleReceiver } from '#web/webhooks/dialog/title-dialog.ts'
import { NEW_WEBHOOK_VALUES } from '#web/webhooks/dialog/webhook-form-values.ts'
import { IDLE, WebhookForm } from '#web/webhooks/dialog/WebhookForm.tsx'
import { webhookConfigsQuery } from '#web/webhooks/queries/webhook-configs.ts'
import { StepFooter } from './StepFooter.tsx'
import { useRefreshSetup, type StepFlow } from './use-setup-flow.ts'

export function WebhookStep({ flow }: { flow: StepFlow }) {
  const configs = useQuery(webhookConfigsQuery)
  const refreshSetup = useRefreshSetup()
  const [created, setCreated] = useState<WebhookConfig | null>(null)
  const { toTop } = flow
  useEffect(() => {
    if (created !== null) toTop()
  }, [created, toTop])
  if (created !== null) {
    return (
      <Card title={titleReceiver(created)}>
        <div className="pb-6">
          <ReceiverStep config={created} />
        </div>
        <StepFooter flow={flow} />
      </Card>
    )
  }
  if (configs.data === undefined) {
    return configs.isError ? (
      <LoadFailure
        title="Your webhooks could not be loaded."
        error={configs.error}
        onRetry={() => void configs.refetch()}
      />
    ) : (
      <CardSkeleton />
    )
  }
  if (configs.data.length > 0) return <OwnWebhooks configs={configs.data} flow={flow} />
  return (
    <FirstWebhook
      flow={flow}
      onCreated={(config) => {
        setCreated(config)
        void refreshSetup()
      }}
    />
  )
}

function FirstWebhook({ flow, onCreated }: { flow: StepFlow; onCreated: (config: WebhookConfig) => void }) {
  const formId = useId()
  const [status, setStatus] = useState(IDLE)
  return (
    <Card>
      <WebhookForm
        formId={formId}
        configId={null}
        values={NEW_WEBHOOK_VALUES}
        onStatus={setStatus}
        onSaved={onCreated}
      />
      <div className="mt-6">
        <StepFooter flow={flow}>
          <Button type="submit" form={formId} variant="primary" busy={status.saving} disabled={!status.ready}>
            {status.saving ? 'Saving...' : status.made ? 'Update' : 'Create'}
          </Button>
        </StepFooter>
      </div>
    </Card>
  )
}

function OwnWebhooks({ configs, flow }: { configs: readonly WebhookConfig[]; flow: StepFlow }) {
  return (
    <Card>
      <ul aria-label="Your webhooks" className="flex flex-col gap-3 pb-4">
        {configs.map(({ id, webhook_name, request_method, endpoint_url, is_active }) => (
          <li key={id} className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm font-medium break-words">
              {webhook_name}
              <Badge tone={is_active ? 'success' : 'neutral'}>{is_active ? 'Active' : 'Inactive'}</Badge>
            </p>
            <p className="font-mono text-xs break-all text-muted">
              {isMailUrl(endpoint_url) ? '' : `${request_method} `}
              {endpoint_url}
            </p>
          </li>
        ))}
      </ul>
      <p className="pb-4 text-sm text-muted">
        Change them, find their signing secrets or add another under{' '}
        <Link to={webhooksPath()} className="text-accent-strong underline">
          Integrations
        </Link>
        .
      </p>
      <StepFooter flow={flow} />
    </Card>
  )
}
