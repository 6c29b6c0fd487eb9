import type { DeliveryReport } from '#core/contract/market/delivery-figures.ts'
import { countDeliveries } from '#core/domain/webhooks/rate-deliveries.ts'
import { useMemberMay } from '#web/api/use-member-may.ts'
import { countOf, formatCount } from '#web/format/count-of.ts'
import { formatRate } from '#web/format/format-rate.ts'
import { formatMoney } from '#web/format/money.ts'
import { leadsPath, PATHS, webhooksPath } from '#web/paths.ts'
import { formatSpan } from '#web/ui/show/format-span.ts'
import { Figure } from '../dashboard/Figure.tsx'
import type { EnterpriseView } from './enterprise-view.ts'

export interface EnterpriseFiguresProps {
  view: EnterpriseView
  shown: DeliveryReport | undefined
  queuePath: string
  onRetry: (() => void) | undefined
}

/** Shows the period in six numbers, each with a link to its details, if the person may see them. */
export function EnterpriseFigures({ view, shown, queuePath, onRetry }: EnterpriseFiguresProps) {
  const all = shown?.all
  const seesLeads = useMemberMay('leads') === true
  const logs = seesLeads ? webhooksPath(view.webhook === '' ? undefined : view.webhook) : undefined
  const analytics = new URLSearchParams(
    Object.entries({ days: view.days, from: view.from, to: view.to, state: view.state }).filter(
      ([, value]) => value !== '',
    ),
  )
  const sent = all === undefined ? 0 : countDeliveries({ ...all, lost: all.failed })
  const ofEndpoint = view.webhook === '' ? '' : ' for this endpoint'
  const figures = [
    {
      label: 'Leads received',
      value: all && formatCount(all.leads),
      // The list of leads has no filter by webhook.
      to: !seesLeads || shown === undefined || view.webhook !== '' ? logs : behindLeads(shown, view.state),
      note: `Test leads left out${ofEndpoint}`,
    },
    {
      label: 'Spend',
      value: all && formatMoney(all.spend),
      to: `${PATHS.analytics}?${analytics}`,
      note: 'What they cost, before returns',
    },
    {
      label: 'Delivery success',
      value: all && formatRate(all.delivery_rate),
      to: logs,
      note:
        sent === 0
          ? 'No deliveries yet'
          : `${formatCount(all?.delivered ?? 0)} of ${countOf(sent, 'delivery')}`,
    },
    {
      label: 'Failed',
      value: all && formatCount(all.failed),
      to: seesLeads ? queuePath : undefined,
      note: 'Deliveries that were not sent again',
    },
    {
      label: 'Waiting',
      value: all && formatCount(all.waiting),
      to: logs,
      note: 'For an attempt, or for their endpoint',
    },
    {
      label: 'Median time to delivery',
      value: all && sayMedian(all.median_ms),
      to: logs,
      note: 'Half of the deliveries took no longer',
    },
  ]
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,max(15rem,(100%_-_2.1rem)/3)),1fr))] gap-4">
      {figures.map((figure) => (
        <Figure key={figure.label} {...figure} onRetry={onRetry} />
      ))}
    </div>
  )
}

export function sayMedian(ms: number | null): string {
  return ms === null ? '–' : formatSpan(ms)
}

/** Path of the list of a period's leads, filtered by state if one is given. */
export function behindLeads(shown: Pick<DeliveryReport, 'begins_at' | 'ends_at'>, state: string): string {
  const span = { from: shown.begins_at, to: shown.ends_at, is_test: 'false' }
  return leadsPath(state === '' ? span : { ...span, state })
}
