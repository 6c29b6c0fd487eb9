import type { DeliverySeries, Overview } from '#core/contract/operations/overview.ts'
import { countOf, formatCount } from '#web/format/count-of.ts'
import { formatRate } from '#web/format/format-rate.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { ChartCard } from '#web/ui/show/ChartCard.tsx'
import { formatSpan } from '#web/ui/show/format-span.ts'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { DataTable } from '#web/ui/show/table/DataTable.tsx'

type Health = Overview['health']
type Point = DeliverySeries['points'][number]

const CLOCK = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })
const PERCENT = 100

/** Whether everything runs, and how the deliveries of the last hour and day went. */
export function HealthPanel({ health }: { health: Health }) {
  return (
    <section aria-label="Health" className="flex flex-col gap-4">
      <Services health={health} />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,26rem),1fr))] gap-6">
        <FirstAttempts title="First-attempt success, 1 h" series={health.hour} />
        <FirstAttempts title="First-attempt success, 24 h" series={health.day} />
        <Times title="Time to CRM, 1 h" series={health.hour} />
        <Times title="Time to CRM, 24 h" series={health.day} />
      </div>
    </section>
  )
}

function Services({
  health: { workers, redis, postgres_ms: ms, oldest_due_at: oldest },
}: {
  health: Health
}) {
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3 rounded-lg border border-line bg-surface px-4 py-3 text-sm">
      <Service label="Workers">
        {workers === null ? (
          <Badge tone="waiting">Not known</Badge>
        ) : workers.count === 0 ? (
          <Badge tone="failure">None runs</Badge>
        ) : (
          `${countOf(workers.count, 'worker')}, ${countOf(workers.slots, 'slot')}`
        )}
      </Service>
      <Service label="Redis">
        {redis ? <Badge tone="success">Answers</Badge> : <Badge tone="failure">Away</Badge>}
      </Service>
      <Service label="PostgreSQL">
        <Badge tone="success">Answers</Badge> in {ms < 1 ? 'under 1' : formatCount(ms)} ms
      </Service>
      <Service label="Oldest due delivery">
        {oldest === null ? (
          'None waits'
        ) : (
          <>
            due <RelativeTime at={oldest} />
          </>
        )}
      </Service>
    </dl>
  )
}

function Service({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs font-medium text-muted">{label}</dt>
      <dd className="mt-0.5 tabular">{children}</dd>
    </div>
  )
}

const whenOf = ({ at }: Point) => CLOCK.format(new Date(at))

/** Labels the first point, the middle one, and the last, which is not over. */
function tickOf({ points }: DeliverySeries, index: number): string | undefined {
  if (index === points.length - 1) return 'Now'
  const [point, middle] = [points[index], Math.floor(points.length / 2)]
  return point !== undefined && (index === 0 || index === middle) ? whenOf(point) : undefined
}

function FirstAttempts({ title, series }: { title: string; series: DeliverySeries }) {
  return (
    <ChartCard
      title={series.deliveries === 0 ? title : `${title}: ${formatRate(series.first_attempt_rate)}`}
      label={`${title}: ${formatRate(series.first_attempt_rate)} of ${countOf(series.deliveries, 'delivery')}`}
      most={PERCENT}
      unit="%"
      columns={series.points.map((point, index) => ({
        key: point.at,
        tick: tickOf(series, index),
        title: `${whenOf(point)}: ${formatRate(point.first_attempt_rate)} of ${countOf(point.deliveries, 'delivery')}`,
        value: Math.round((point.first_attempt_rate ?? 0) * PERCENT),
      }))}
      table={<SeriesTable title={title} series={series} />}
    />
  )
}

function Times({ title, series }: { title: string; series: DeliverySeries }) {
  const say = (ms: number | null) => (ms === null ? '–' : formatSpan(ms))
  return (
    <ChartCard
      title={series.median_ms === null ? title : `${title}: half within ${say(series.median_ms)}`}
      label={`${title}: half within ${say(series.median_ms)}, 95% within ${say(series.p95_ms)}`}
      unit=" ms"
      columns={series.points.map((point, index) => ({
        key: point.at,
        tick: tickOf(series, index),
        title: `${whenOf(point)}: half within ${say(point.median_ms)}, 95% within ${say(point.p95_ms)}`,
        value: point.median_ms ?? 0,
      }))}
      table={<SeriesTable title={title} series={series} />}
    />
  )
}

function SeriesTable({ title, series }: { title: string; series: DeliverySeries }) {
  const say = (ms: number | null) => (ms === null ? '' : formatSpan(ms))
  return (
    <DataTable
      label={title}
      className="sm:max-h-64"
      items={series.points}
      keyOf={({ at }) => at}
      columns={[
        { header: 'From', part: 'who', className: 'whitespace-nowrap', render: whenOf },
        { header: 'Deliveries', part: 'figure', numeric: true, render: (one) => formatCount(one.deliveries) },
        {
          header: 'First attempt',
          part: 'figure',
          numeric: true,
          render: (one) => (one.first_attempt_rate === null ? '' : formatRate(one.first_attempt_rate)),
        },
        { header: 'Half within', part: 'figure', numeric: true, render: (one) => say(one.median_ms) },
        { header: '95% within', part: 'figure', numeric: true, render: (one) => say(one.p95_ms) },
      ]}
    />
  )
}
