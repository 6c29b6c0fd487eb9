import type { ReactNode } from 'react'
import { Card } from '#web/ui/show/Card.tsx'

export interface ChartBesideProps {
  title: string
  /** says what the chart leaves out */
  note?: string | undefined
  chart: ReactNode
  /** the same numbers as rows */
  table: ReactNode
}

/** A card with a chart and, beside it, or below it on a narrow screen, its table. */
export function ChartBeside({ title, note, chart, table }: ChartBesideProps) {
  return (
    <Card
      title={title}
      flush
      actions={note !== undefined && <p className="text-xs text-muted tabular">{note}</p>}
    >
      <div className="grid lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="min-w-0 p-4">{chart}</div>
        <div className="min-w-0 border-t border-line lg:border-t-0 lg:border-l">{table}</div>
      </div>
    </Card>
  )
}
