import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import type { DeliveryReport } from '#core/contract/market/delivery-figures.ts'
import { useMemberMay } from '#web/api/use-member-may.ts'
import { EndpointState } from '#web/components/EndpointState.tsx'
import { formatCount } from '#web/format/count-of.ts'
import { formatRate } from '#web/format/format-rate.ts'
import { formatMoney } from '#web/format/money.ts'
import { webhooksPath } from '#web/paths.ts'
import { endpointHealthQuery } from '#web/webhooks/queries/endpoint-health.ts'
import { Select } from '#web/ui/form/Select.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { DataTable } from '#web/ui/show/table/DataTable.tsx'
import { SortButton } from '#web/ui/show/table/SortButton.tsx'
import type { TableColumn } from '#web/ui/show/table/table-column.ts'
import { behindLeads, sayMedian } from './EnterpriseFigures.tsx'
import { ExportButton } from './ExportButton.tsx'
import {
  listPerformance,
  readSort,
  turnSort,
  writePerformance,
  type PerformanceRow,
  type PerformanceSort,
} from './performance-rows.ts'
import type { EnterpriseView, Grouping } from './enterprise-view.ts'

const GROUPINGS: readonly { value: Grouping; label: string }[] = [
  { value: 'webhook', label: 'By endpoint' },
  { value: 'state', label: 'By state' },
]

export interface PerformancePanelProps {
  shown: DeliveryReport
  view: EnterpriseView
  isOld: boolean
  onChange: (changed: Partial<Record<keyof EnterpriseView, string>>) => void
  /** path of the queue below, filtered by a row */
  queueOf: (narrowed: { webhook: string } | { state: string }) => string
}

/** Shows how each endpoint or each state did, in one table that can be sorted, searched and exported. */
export function PerformancePanel({ shown, view, isOld, onChange, queueOf }: PerformancePanelProps) {
  const seesLeads = useMemberMay('leads') === true
  const { data: health = [] } = useQuery({ ...endpointHealthQuery, enabled: seesLeads })
  const rows = listPerformance(shown, view)
  const isByWebhook = view.group === 'webhook'
  const title = isByWebhook ? 'Performance by endpoint' : 'Performance by state'
  const sorted = (header: string, by: PerformanceSort) => {
    const now = readSort(view.sort)
    const sort = now.by !== by ? 'none' : now.isDown ? 'descending' : 'ascending'
    const turn = () => onChange({ sort: turnSort(view.sort, by) })
    return {
      header,
      sort,
      control: (
        <SortButton sort={sort} onClick={turn}>
          {header}
        </SortButton>
      ),
    } as const
  }
  const count = (header: string, by: 'leads' | 'delivered' | 'failed' | 'waiting') => ({
    ...sorted(header, by),
    part: 'figure' as const,
    numeric: true,
    render: (row: PerformanceRow) => formatCount(row[by]),
  })
  const columns: readonly TableColumn<PerformanceRow>[] = [
    {
      ...sorted(isByWebhook ? 'Endpoint' : 'State', 'name'),
      part: 'who',
      className: 'min-w-40 max-w-80',
      render: ({ key, name }) => {
        if (key === null || !seesLeads) return name
        const to = isByWebhook ? webhooksPath(key) : behindLeads(shown, key)
        return (
          <Link to={to} title={name} className="block truncate rounded-sm py-0.5 font-medium hover:underline">
            {name}
          </Link>
        )
      },
    },
    ...(isByWebhook && seesLeads
      ? [
          {
            header: 'Status',
            part: 'how' as const,
            render: ({ key }: PerformanceRow) => {
              const one = health.find(({ webhook_config_id: id }) => id === key)
              if (one === undefined) return null
              const isActive = one.standing !== 'inactive' && one.standing !== 'switched_off'
              return <EndpointState config={{ is_active: isActive }} health={one} />
            },
          },
        ]
      : []),
    count('Leads', 'leads'),
    count('Delivered', 'delivered'),
    {
      ...count('Failed', 'failed'),
      render: ({ key, name, failed }) =>
        failed === 0 || key === null || !seesLeads ? (
          formatCount(failed)
        ) : (
          <Link
            to={queueOf(isByWebhook ? { webhook: key } : { state: key })}
            className="inline-flex min-h-6 min-w-6 items-center justify-end rounded-sm text-failure hover:underline cards:justify-start"
          >
            {formatCount(failed)}
            <span className="sr-only"> failed, {name}</span>
          </Link>
        ),
    },
    count('Waiting', 'waiting'),
    {
      ...sorted('Success', 'delivery_rate'),
      part: 'figure',
      numeric: true,
      render: ({ delivery_rate: rate }) => formatRate(rate),
    },
    {
      ...sorted('Median time', 'median_ms'),
      part: 'figure',
      numeric: true,
      className: 'whitespace-nowrap',
      render: ({ median_ms: ms }) => sayMedian(ms),
    },
    {
      ...sorted('Spend', 'spend'),
      part: 'figure',
      numeric: true,
      render: ({ spend }) => formatMoney(spend),
    },
  ]
  return (
    <Card
      title={title}
      flush
      aria-busy={isOld}
      actions={
        <span className="flex flex-wrap items-center gap-2">
          <TextInput
            type="search"
            aria-label={isByWebhook ? 'Find an endpoint' : 'Find a state'}
            placeholder="Find"
            value={view.find}
            onChange={({ target: { value } }) => onChange({ find: value })}
            className="h-8! w-36!"
          />
          <Select
            aria-label="Group by"
            value={view.group}
            onValueChange={(group) => onChange({ group: group === 'state' ? group : '', find: '' })}
            options={GROUPINGS}
            className="h-8! w-36!"
          />
          <ExportButton
            what={isByWebhook ? 'endpoints' : 'states'}
            disabled={rows.length === 0}
            write={() => writePerformance(rows, view.group)}
          />
        </span>
      }
    >
      {rows.length === 0 ? (
        <EmptyState title={view.find === '' ? 'Nothing in this period' : 'Nothing has this name'} />
      ) : (
        <DataTable
          label={title}
          className="max-h-[36rem]"
          movesByRow
          columns={columns}
          items={rows}
          keyOf={({ key }) => key ?? ''}
        />
      )}
    </Card>
  )
}
