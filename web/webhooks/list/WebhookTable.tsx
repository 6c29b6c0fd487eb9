import { TriangleAlert } from 'lucide-react'
import type { EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { redactUrl } from '#core/domain/webhooks/answer/redact-text.ts'
import { Cell, HeaderCell, Row, Table, TableHead } from '#web/ui/show/Table.tsx'
import { exactTime, formatDate } from '#web/ui/show/format-time.ts'
import { useIsNarrow } from '#web/ui/use-is-narrow.ts'
import { EndpointTrouble } from '#web/components/EndpointTrouble.tsx'
import { EndpointState } from '../health/EndpointState.tsx'
import { EndpointResult } from '../health/EndpointResult.tsx'
import { WebhookRowMenu, type WebhookActions } from './WebhookRowMenu.tsx'

export interface WebhookTableProps extends WebhookActions {
  configs: readonly WebhookConfig[]
  /** undefined until it is loaded */
  health: readonly EndpointHealth[] | undefined
  busyIds: ReadonlySet<string>
}

export function WebhookTable({ configs, health, busyIds, ...actions }: WebhookTableProps) {
  const isNarrow = useIsNarrow()
  const healthOf = (id: string) => health?.find(({ webhook_config_id }) => webhook_config_id === id)
  return (
    <Table label="Webhook configurations">
      <TableHead>
        <HeaderCell>Webhook Name</HeaderCell>
        {!isNarrow && <HeaderCell>Endpoint</HeaderCell>}
        {!isNarrow && <HeaderCell>Method</HeaderCell>}
        <HeaderCell>Status</HeaderCell>
        {isNarrow && <HeaderCell>Method</HeaderCell>}
        <HeaderCell>Format</HeaderCell>
        <HeaderCell>Created date</HeaderCell>
        <HeaderCell className="right-0 w-12">
          <span className="sr-only">Actions</span>
        </HeaderCell>
      </TableHead>
      <tbody>
        {configs.map((config) => (
          <Row key={config.id} className="group">
            <Cell className="max-w-44 min-w-40 sm:max-w-72">
              <p className="truncate font-medium" title={config.webhook_name}>
                {config.webhook_name}
              </p>
              {!config.is_active && config.disabled_reason !== null && (
                <p className="mt-0.5 flex gap-1.5 py-0.5 text-xs text-waiting">
                  <TriangleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
                  <span className="min-w-0 break-words">Switched off: {config.disabled_reason}</span>
                </p>
              )}
              {isNarrow && <Endpoint config={config} health={healthOf(config.id)} />}
            </Cell>
            {!isNarrow && (
              <Cell className="max-w-80 min-w-48">
                <Endpoint config={config} health={healthOf(config.id)} />
              </Cell>
            )}
            {!isNarrow && <Cell className="font-mono text-xs">{config.request_method}</Cell>}
            <Cell>
              <EndpointState config={config} health={healthOf(config.id)} />
            </Cell>
            {isNarrow && <Cell className="font-mono text-xs">{config.request_method}</Cell>}
            <Cell>{config.payload_type}</Cell>
            <Cell className="text-muted">
              <time
                dateTime={config.created_at}
                title={exactTime(config.created_at)}
                className="whitespace-nowrap tabular"
              >
                {formatDate(config.created_at)}
              </time>
            </Cell>
            {/* Stays in sight while a narrow screen scrolls the columns. */}
            <Cell className="sticky right-0 bg-surface text-right group-hover:bg-hover">
              <WebhookRowMenu config={config} busy={busyIds.has(config.id)} {...actions} />
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  )
}

/** Where it leads and how that place does; a narrow screen has it beneath the name, so that the status stays in sight. */
function Endpoint({ config, health }: { config: WebhookConfig; health: EndpointHealth | undefined }) {
  const url = redactUrl(config.endpoint_url)
  return (
    <>
      <p className="truncate font-mono text-xs text-muted" title={url}>
        {url}
      </p>
      {health !== undefined && <EndpointResult health={health} />}
      {health?.standing === 'failing' && (
        <p className="mt-0.5 text-xs break-words text-waiting">
          <EndpointTrouble health={health} />
        </p>
      )}
    </>
  )
}
