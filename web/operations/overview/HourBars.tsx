export interface HourBarsProps {
  /** oldest first; the last one is not over and darker */
  values: readonly number[]
  /** Describes the chart in words. */
  label: string
}

const STEP = 4
const WIDTH = 3
const HEIGHT = 28
/** Minimum height of a value above zero. */
const LEAST = 2

/** One bar for each hour. A negative value hangs below the line. */
export function HourBars({ values, label }: HourBarsProps) {
  const [most, least] = [Math.max(0, ...values), Math.min(0, ...values)]
  const scale = HEIGHT / Math.max(1, most - least)
  const zero = least === 0 ? HEIGHT : most * scale
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${values.length * STEP - (STEP - WIDTH)} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-7 w-full"
    >
      {values.map((value, index) => {
        const height = value === 0 ? 1 : Math.max(LEAST, Math.abs(value) * scale)
        const isLast = index === values.length - 1
        const fill =
          value === 0
            ? 'fill-line-strong'
            : value < 0
              ? 'fill-failure'
              : isLast
                ? 'fill-accent'
                : 'fill-control'
        return (
          <rect
            key={`${index * STEP}`}
            x={index * STEP}
            y={value < 0 ? zero : Math.min(HEIGHT - height, Math.max(0, zero - height))}
            width={WIDTH}
            height={height}
            className={fill}
          />
        )
      })}
    </svg>
  )
}
