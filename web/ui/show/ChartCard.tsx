import { ChartColumn, Table2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Button } from '#web/ui/action/Button.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { ColumnChart, type ColumnChartProps } from '#web/ui/show/ColumnChart.tsx'

export interface ChartCardProps extends ColumnChartProps {
  title: string
  /** the same numbers as rows */
  table: ReactNode
}

/** A card that shows numbers as a chart or as a table. */
export function ChartCard({ title, table, ...chart }: ChartCardProps) {
  const [isTable, setTable] = useState(false)
  const Icon = isTable ? ChartColumn : Table2
  return (
    <Card
      title={title}
      flush={isTable}
      actions={
        <Button
          size="sm"
          variant="quiet"
          icon={<Icon aria-hidden className="size-4" />}
          aria-label={`${isTable ? 'Show as chart' : 'Show as table'}: ${title}`}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? 'Show as chart' : 'Show as table'}
        </Button>
      }
    >
      {isTable ? table : <ColumnChart {...chart} />}
    </Card>
  )
}
