export interface Column {
  key: string
  /** tooltip: "Nov 23: 4 leads" */
  title: string
  value: number
  /** label below the column; a few suffice */
  tick?: string | undefined
}

export interface ColumnChartProps {
  columns: readonly Column[]
  /** Describes the chart in words. */
  label: string
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
/** In rem: few columns are not stretched across a wide card. */
const WIDEST = 4

/** A column chart with one scale from zero. A table or the label gives the exact numbers. */
export function ColumnChart({ columns, label, most: top, unit = '' }: ColumnChartProps) {
  const most = top ?? Math.max(1, ...columns.map(({ value }) => value))
  const height = (value: number) => (value === 0 ? 0 : Math.max(LEAST, (value / most) * HEIGHT))
  const maxWidth = `${columns.length * WIDEST}rem`
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 gap-y-1.5 text-xs leading-none text-muted tabular">
      <div aria-hidden className="flex flex-col justify-between text-right">
        <span>
          {most.toLocaleString('en-US')}
          {unit}
        </span>
        <span>0</span>
      </div>
      <div className="border-y border-line">
        <svg
          role="img"
          aria-label={label}
          viewBox={`0 0 ${columns.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-40 w-full"
          style={{ maxWidth }}
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
      <div aria-hidden className="relative col-start-2 h-4" style={{ maxWidth }}>
        {columns.map(
          ({ key, tick }, index) =>
            tick !== undefined && (
              <span
                key={key}
                className="absolute top-0.5 -translate-x-1/2 whitespace-nowrap"
                style={{ left: `${((index + 0.5) / columns.length) * 100}%` }}
              >
                {tick}
              </span>
            ),
        )}
      </div>
    </div>
  )
}
