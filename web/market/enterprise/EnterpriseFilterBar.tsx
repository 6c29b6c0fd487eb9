import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { MOST_DAYS_OF_DELIVERIES, type DeliveryReport } from '#core/contract/market/delivery-figures.ts'
import { STATE_NAMES } from '#core/domain/leads/us-states.ts'
import { useMemberMay } from '#web/api/use-member-may.ts'
import { endpointHealthQuery } from '#web/webhooks/queries/endpoint-health.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { PeriodFilter } from '../analytics/PeriodFilter.tsx'
import type { EnterpriseView } from './enterprise-view.ts'

const STATE_OPTIONS = [
  { value: '', label: 'All states' },
  ...Object.entries(STATE_NAMES).map(([value, label]) => ({ value, label })),
]
const CHOICE_CLASS = 'w-auto! min-w-36 flex-1 sm:max-w-60 sm:flex-none'

export interface EnterpriseFilterBarProps {
  view: EnterpriseView
  /** undefined until the first figures have loaded */
  shown: DeliveryReport | undefined
  isNarrowed: boolean
  onChange: (changed: Partial<Record<keyof EnterpriseView, string>>) => void
}

export function EnterpriseFilterBar({ view, shown, isNarrowed, onChange }: EnterpriseFilterBarProps) {
  const seesWebhooks = useMemberMay('webhooks')
  const { data: endpoints = [] } = useQuery({ ...endpointHealthQuery, enabled: seesWebhooks === true })
  const named = endpoints
    .map(({ webhook_config_id: value, webhook_name: label }) => ({ value, label }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
  // The current choice stays in the list even if the webhook no longer exists.
  const isKnown = view.webhook === '' || named.some(({ value }) => value === view.webhook)
  const missing = isKnown ? [] : [{ value: view.webhook, label: 'Another endpoint' }]
  return (
    <div role="search" aria-label="Filter figures" className="flex flex-wrap items-center gap-2">
      <PeriodFilter period={view} shown={shown} mostDays={MOST_DAYS_OF_DELIVERIES} onChange={onChange} />
      {seesWebhooks !== false && (
        <Select
          aria-label="Endpoint"
          value={view.webhook}
          onValueChange={(webhook) => onChange({ webhook })}
          options={[{ value: '', label: 'All endpoints' }, ...missing, ...named]}
          className={CHOICE_CLASS}
        />
      )}
      <Select
        aria-label="State"
        value={view.state}
        onValueChange={(state) => onChange({ state })}
        options={STATE_OPTIONS}
        className={CHOICE_CLASS}
      />
      {isNarrowed && (
        <Button
          variant="quiet"
          icon={<X aria-hidden className="size-4" />}
          onClick={() => onChange({ state: '', webhook: '' })}
        >
          Clear filters
        </Button>
      )}
    </div>
  )
}
