import type { Analytics } from '#core/contract/market/analytics.ts'
import { DISPOSITIONS } from '#core/contract/leads/lead.ts'
import { countFunnel, type FunnelStep } from '#core/domain/market/work-funnel.ts'
import { formatCount, formatShare } from '#web/format/count-of.ts'
import { words } from '#web/format/words.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { Meter } from '#web/ui/show/Meter.tsx'
import type { ListBehind } from './list-behind.ts'
import { NumberLink } from './NumberLink.tsx'

const STEPS: Readonly<Record<FunnelStep, string>> = {
  attempted: 'Attempted or further',
  contacted: 'Contacted or further',
  appointment: 'Appointment or further',
  quoted: 'Quoted or further',
  sold: 'Sold',
}

export interface LeadsByDispositionProps {
  shown: Pick<Analytics, 'totals' | 'dispositions'>
  behind: ListBehind
}

/** Shows the leads' progress as a funnel, and below it the number of leads for each disposition. */
export function LeadsByDisposition({ shown: { totals, dispositions }, behind }: LeadsByDispositionProps) {
  const { leads: all, returned } = totals
  const meter = (label: string, leads: number) => (
    <Meter
      key={label}
      label={label}
      text={`${formatCount(leads)} · ${all === 0 ? '0%' : formatShare(leads, all)}`}
      value={leads}
      max={all}
    />
  )
  const standing = DISPOSITIONS.flatMap((disposition) => {
    const leads = dispositions.find((one) => one.disposition === disposition)?.leads ?? 0
    return leads === 0 ? [] : [{ disposition, leads }]
  })
  return (
    <Card title="By disposition">
      <div className="flex flex-col gap-3">
        {meter('Received', all)}
        {countFunnel(dispositions).map(({ step, leads }) => meter(STEPS[step], leads))}
      </div>
      <dl className="mt-5 grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-x-6 gap-y-1 border-t border-line pt-4 text-sm">
        {standing.map(({ disposition, leads }) => (
          <div key={disposition} className="flex justify-between gap-2">
            <dt className="text-muted">{words(disposition)}</dt>
            <dd className="tabular">
              <NumberLink leads={leads} to={behind({ disposition })} of={words(disposition)} />
            </dd>
          </div>
        ))}
        {returned > 0 && (
          <div className="flex justify-between gap-2">
            <dt className="text-muted">Returned</dt>
            <dd className="tabular">{formatCount(returned)}</dd>
          </div>
        )}
      </dl>
    </Card>
  )
}
