import { TriangleAlert } from 'lucide-react'
import type { WebhookConfig } from '../../../core/contract/webhook-config.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Cell, HeaderCell, Row, Table, TableHead } from '../../ui/Table.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { WebhookRowMenu, type WebhookActions } from './WebhookRowMenu.tsx'

export interface WebhookTableProps extends WebhookActions {
  configs: readonly WebhookConfig[]
  busyIds: ReadonlySet<string>
}

export function WebhookTable({ configs, busyIds, ...actions }: WebhookTableProps) {
  return (
    <Table label="Webhook configurations">
      <TableHead>
        <HeaderCell>Webhook Name</HeaderCell>
        <HeaderCell>Endpoint</HeaderCell>
        <HeaderCell>Method</HeaderCell>
        <HeaderCell>Status</HeaderCell>
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
            </Cell>
            <Cell className="max-w-80 min-w-48">
              <p className="truncate font-mono text-xs text-muted" title={config.endpoint_url}>
                {config.endpoint_url}
              </p>
            </Cell>
            <Cell className="font-mono text-xs">{config.request_method}</Cell>
            <Cell>
              <Badge tone={config.is_active ? 'success' : 'neutral'}>
                {config.is_active ? 'Active' : 'Inactive'}
              </Badge>
            </Cell>
            <Cell>{config.payload_type}</Cell>
            <Cell className="text-muted">
              <RelativeTime at={config.created_at} />
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
