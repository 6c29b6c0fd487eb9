import { TriangleAlert } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import type { CertificationGrades } from '#core/contract/webhooks/certification-grade.ts'
import { UNREADABLE_AUTHENTICATION } from '#core/contract/webhooks/authentication.ts'
import type { EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { redactUrl } from '#core/domain/webhooks/answer/redact-text.ts'
import { isMailUrl } from '#core/domain/webhooks/by-mail/mail-address.ts'
import { DataTable } from '#web/ui/show/table/DataTable.tsx'
import type { TableColumn } from '#web/ui/show/table/table-column.ts'
import { exactTime, formatDate } from '#web/ui/show/format-time.ts'
import { EndpointTrouble } from '#web/components/EndpointTrouble.tsx'
import { EndpointState } from '#web/components/EndpointState.tsx'
import { CertifiedBadge } from '../certification/CertifiedBadge.tsx'
import { EndpointResult } from '../health/EndpointResult.tsx'
import { describeHeld, isOff } from '../health/endpoint-health-words.ts'
import { FitsNow } from '../health/FitsNow.tsx'
import { AssignedMend } from './AssignedMend.tsx'
import { describePlaceholders } from './describe-placeholders.ts'
import { WebhookRowMenu, type WebhookActions } from './WebhookRowMenu.tsx'

export interface WebhookTableProps extends WebhookActions {
  configs: readonly WebhookConfig[]
  /** undefined until it is loaded */
  health: readonly EndpointHealth[] | undefined
  /** undefined until they are loaded */
  grades: CertificationGrades['data'] | undefined
  busyIds: ReadonlySet<string>
}

export function WebhookTable({ configs, health, grades, busyIds, ...actions }: WebhookTableProps) {
  const healthOf = (id: string) => health?.find(({ webhook_config_id }) => webhook_config_id === id)
  const columns: readonly TableColumn<WebhookConfig>[] = [
    {
      header: 'Webhook Name',
      part: 'who',
      className: 'w-[45%] max-w-0 min-w-40 cards:w-auto cards:max-w-full',
      render: (config) => <Name config={config} />,
    },
    {
      header: 'Endpoint',
      part: 'note',
      className: 'w-[55%] max-w-0 min-w-48 cards:order-6! cards:w-auto',
      render: (config) => <Endpoint config={config} health={healthOf(config.id)} />,
    },
    {
      header: 'Method',
      part: 'figure',
      className: 'font-mono text-xs',
      render: (config) => (isMailUrl(config.endpoint_url) ? 'Email' : config.request_method),
    },
    {
      header: 'Status',
      part: 'how',
      render: (config) => (
        <div className="flex flex-wrap gap-1">
          <EndpointState config={config} health={healthOf(config.id)} />
          <CertifiedBadge grade={grades?.find((one) => one.webhook_config_id === config.id)} />
        </div>
      ),
    },
    {
      header: 'Format',
      part: 'figure',
      render: (config) => (isMailUrl(config.endpoint_url) ? 'Text' : config.payload_type),
    },
    {
      header: 'Created date',
      part: 'figure',
      className: 'text-muted',
      render: ({ created_at: at }) => (
        <time dateTime={at} title={exactTime(at)} className="whitespace-nowrap tabular">
          {formatDate(at)}
        </time>
      ),
    },
    {
      header: 'Actions',
      part: 'menu',
      headerClass: 'right-0 w-12',
      render: (config) => <WebhookRowMenu config={config} busy={busyIds.has(config.id)} {...actions} />,
    },
  ]
  return <DataTable label="Webhook configurations" columns={columns} items={configs} keyOf={({ id }) => id} />
}

function Name({ config: { webhook_name: name } }: { config: WebhookConfig }) {
  return (
    <p className="truncate font-medium cards:break-words cards:whitespace-normal" title={name}>
      {name}
    </p>
  )
}

/** Shows the endpoint's URL and its health. */
function Endpoint({ config, health }: { config: WebhookConfig; health: EndpointHealth | undefined }) {
  const { is_active: isActive, disabled_reason: reason } = config
  const url = redactUrl(config.endpoint_url)
  // Memoised, because a template may be long and the health is refreshed every few seconds.
  const placeholders = useMemo(() => describePlaceholders(config), [config])
  return (
    <>
      <p className="truncate font-mono text-xs text-muted" title={url}>
        {url}
      </p>
      {health !== undefined && <EndpointResult health={health} />}
      <FitsNow config={config} health={health} className="mt-0.5" />
      {health !== undefined && isOff(health) && health.offered > 0 && (
        <p className="mt-0.5 text-xs text-muted tabular">{describeHeld(health)}</p>
      )}
      {!isActive && reason !== null ? (
        <Trouble>Switched off: {reason}</Trouble>
      ) : (
        health?.standing === 'failing' && (
          <Trouble>
            <EndpointTrouble health={health} />
          </Trouble>
        )
      )}
      {config.authentication_unreadable && <Trouble>{UNREADABLE_AUTHENTICATION}</Trouble>}
      <AssignedMend config={config} />
      {placeholders.map((said) => (
        <Trouble key={said}>{said}</Trouble>
      ))}
    </>
  )
}

function Trouble({ children }: { children: ReactNode }) {
  return (
    <p className="mt-0.5 flex gap-1.5 text-xs text-waiting">
      <TriangleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
      <span className="min-w-0 break-words">{children}</span>
    </p>
  )
}
