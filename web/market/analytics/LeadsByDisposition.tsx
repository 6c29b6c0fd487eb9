import type { Analytics } from '#core/contract/market/analytics.ts'
import { DISPOSITIONS } from '#core/contract/leads/lead.ts'
import { countFunnel, type FunnelStep } from '#core/domain/market/work-funnel.ts'
import { formatCount, formatShare } from '#web/format/count-of.ts'
import { words } from '#web/format/words.ts'
import { Meter } from '#web/ui/show/Meter.tsx'
import { DataTable } from '#web/ui/show/table/DataTable.tsx'
import { ChartBeside } from './ChartBeside.tsx'
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

/** Shows the leads' progress as a funnel, and beside it the number of leads for each disposition. */
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
  const rows: { name: string; leads: number; to: string | undefined }[] = DISPOSITIONS.flatMap(
    (disposition) => {
      const leads = dispositions.find((one) => one.disposition === disposition)?.leads ?? 0
      return leads === 0 ? [] : [{ name: words(disposition), leads, to: behind({ disposition }) }]
    },
  )
  if (returned > 0) rows.push({ name: 'Returned', leads: returned, to: undefined })
  return (
    <ChartBeside
      title="By disposition"
      chart={
        <div className="flex flex-col gap-3">
          {meter('Received', all)}
          {countFunnel(dispositions).map(({ step, leads }) => meter(STEPS[step], leads))}
        </div>
      }
      table={
        <DataTable
          label="Leads by disposition"
          isSlim
          className="max-h-63"
          items={rows}
          keyOf={({ name }) => name}
          columns={[
            { header: 'Disposition', part: 'who', render: ({ name }) => name },
            {
              header: 'Leads',
              part: 'figure',
              numeric: true,
              render: ({ name, leads, to }) => <NumberLink leads={leads} to={to} of={name} />,
            },
            {
              header: 'Share',
              part: 'figure',
              numeric: true,
              render: ({ leads }) => formatShare(leads, all),
            },
          ]}
        />
      }
    />
  )
}
