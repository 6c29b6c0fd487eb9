import { useQuery } from '@tanstack/react-query'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { redactUrl } from '#core/domain/webhooks/answer/redact-text.ts'
import { isMailUrl } from '#core/domain/webhooks/by-mail/mail-address.ts'
import { deliveryCountsQuery } from '../queries/webhook-delivery-logs.ts'
import { formatCount } from '#web/format/count-of.ts'
import { EndpointState } from '#web/components/EndpointState.tsx'
import { FitsNow } from '../health/FitsNow.tsx'
import { endpointHealthQuery } from '../queries/endpoint-health.ts'
import { SummaryItem } from './SummaryItem.tsx'

export interface LogsSummaryProps {
  config: WebhookConfig
}

/** Shows endpoint, method, status and number of logs (docs/product.md §2). */
export function LogsSummary({ config }: LogsSummaryProps) {
  const url = redactUrl(config.endpoint_url)
  const { requests_per_minute: limit } = config
  const counts = useQuery(deliveryCountsQuery(config.id))
  const health = useQuery(endpointHealthQuery).data?.find((one) => one.webhook_config_id === config.id)
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3 border-b border-line px-5 py-4 sm:grid sm:grid-cols-[minmax(0,1fr)_auto_auto_auto]">
      <SummaryItem label="Endpoint" className="w-full">
        <span className="block truncate font-mono text-xs leading-5" title={url}>
          {url}
        </span>
        <FitsNow config={config} health={health} className="mt-0.5" isWhole />
        {limit !== null && (
          <p className="mt-0.5 text-xs text-muted">
            At most {limit.toLocaleString('en-US')} {limit === 1 ? 'request' : 'requests'} a minute: the
            others wait.
          </p>
        )}
      </SummaryItem>
      <SummaryItem label="Method">
        <span className="font-mono text-xs leading-5">
          {isMailUrl(config.endpoint_url) ? 'Email' : config.request_method}
        </span>
      </SummaryItem>
      <SummaryItem label="Status">
        <EndpointState config={config} health={health} />
      </SummaryItem>
      <SummaryItem label="Total logs">
        <span className="tabular">
          {counts.data === undefined
            ? '–'
            : formatCount(counts.data.logs, counts.data.logs >= counts.data.logs_limit)}
        </span>
      </SummaryItem>
    </dl>
  )
}
