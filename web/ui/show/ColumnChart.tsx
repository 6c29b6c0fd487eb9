export interface Column {
  key: string
  /** tooltip: "Nov 23: 4 leads" */
  title: string
  value: number
}

export interface ColumnChartProps {
  columns: readonly Column[]
  /** Describes the chart in words. */
  label: string
  /** labels below the first, the middle and the last column */
  ticks: readonly string[]
  /** the top of the scale; by default the highest value */
  most?: number
  /** written behind the scale's numbers: "%" */
  unit?: string
}

const HEIGHT = 100
const STEP = 10
const WIDTH = 7
/** Minimum height, so that a small value is visible. */
const LEAST = 2

/** A column chart with one scale from zero. A table beside it gives the exact numbers. */
export function ColumnChart({ columns, label, ticks, most: top, unit = '' }: ColumnChartProps) {
  const most = top ?? Math.max(1, ...columns.map(({ value }) => value))
  const height = (value: number) => (value === 0 ? 0 : Math.max(LEAST, (value / most) * HEIGHT))
  return (
    <div>
      <div className="flex gap-2">
        <div
          aria-hidden
          className="flex flex-col justify-between text-right text-xs leading-none text-muted tabular"
        >
          <span>
            {most.toLocaleString('en-US')}
            {unit}
          </span>
          <span>0</span>
        </div>
        <svg
          role="img"
          aria-label={label}
          viewBox={`0 0 ${columns.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-40 min-w-0 flex-1 border-y border-line"
        >
          {columns.map(({ key, title, value }, index) => (
            <g key={key} className="group">
              <title>{title}</title>
              <rect
                x={index * STEP}
                width={STEP}
                height={HEIGHT}
                className="fill-transparent group-hover:fill-hover"
              />
              <rect
                x={index * STEP + (STEP - WIDTH) / 2}
                y={HEIGHT - height(value)}
                width={WIDTH}
                height={height(value)}
                className="fill-accent"
              />
            </g>
          ))}
        </svg>
      </div>
      <div aria-hidden className="mt-1.5 flex justify-between pl-6 text-xs text-muted tabular">
        {ticks.map((tick) => (
          <span key={tick}>{tick}</span>
        ))}
      </div>
    </div>
  )
}
