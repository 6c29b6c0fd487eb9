import clsx from 'clsx'

export interface SparklineBar {
  good: number
  bad: number
}

export interface SparklineProps {
  bars: readonly SparklineBar[]
  /** Describes the chart in words. */
  label: string
  className?: string
}

const STEP = 4
const WIDTH = 3
const HEIGHT = 20
/** Minimum height of a bar that still shows its colour. */
const LEAST = 3

/** One bar per period, the oldest at the left, with a good and a bad part. An empty period is a dot. */
export function Sparkline({ bars, label, className }: SparklineProps) {
  const most = Math.max(1, ...bars.map(({ good, bad }) => good + bad))
  const parts = bars.map((bar, index) => ({ x: index * STEP, ...measure(bar, most) }))
  const draw = (part: (one: (typeof parts)[number]) => readonly [top: number, height: number]) =>
    parts
      .map((one) => {
        const [top, height] = part(one)
        return height === 0 ? '' : `M${one.x} ${top}h${WIDTH}v${height}h-${WIDTH}z`
      })
      .join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${bars.length * STEP - (STEP - WIDTH)} ${HEIGHT}`}
      preserveAspectRatio="xMinYMax"
      className={clsx('shrink-0', className ?? 'h-5 w-24')}
    >
      <path className="fill-line-strong" d={draw(({ all }) => [HEIGHT - 1, all === 0 ? 1 : 0])} />
      <path className="fill-success" d={draw(({ all, bad }) => [HEIGHT - all, all - bad])} />
      <path className="fill-failure" d={draw(({ bad }) => [HEIGHT - bad, bad])} />
    </svg>
  )
}

/** Heights of the whole bar and of its bad part. */
function measure({ good, bad }: SparklineBar, most: number) {
  const total = good + bad
  if (total === 0) return { all: 0, bad: 0 }
  // The square root keeps a quiet hour beside a busy one visible.
  const all = round(Math.max(LEAST, Math.sqrt(total / most) * HEIGHT))
  if (bad === 0 || good === 0) return { all, bad: bad === 0 ? 0 : all }
  return { all, bad: round(Math.min(Math.max((bad / total) * all, LEAST / 2), all - LEAST / 2)) }
}

function round(value: number) {
  return Math.round(value * 10) / 10
}
