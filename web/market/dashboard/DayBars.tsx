import type { Dashboard } from '#core/contract/market/dashboard.ts'

const STEP = 10
const WIDTH = 7
const HEIGHT = 28
/** Minimum height of a bar, so that a day with a lead is higher than one without. */
const LEAST = 4

const WEEKDAY = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' })

/** One bar per day; today is at the right and darker. Screen readers get the text. */
export function DayBars({ days }: { days: Dashboard['leads']['days'] }) {
  const most = Math.max(1, ...days.map(({ leads }) => leads))
  const words = days.map(({ date, leads }) => `${WEEKDAY.format(new Date(date))} ${leads}`).join(', ')
  return (
    <svg
      role="img"
      aria-label={`Leads by day: ${words}`}
      viewBox={`0 0 ${days.length * STEP - (STEP - WIDTH)} ${HEIGHT}`}
      className="h-7 w-17 shrink-0"
    >
      {days.map(({ date, leads }, index) => {
        const height = leads === 0 ? 1 : Math.max(LEAST, Math.round((leads / most) * HEIGHT))
        const isToday = index === days.length - 1
        const fill = leads === 0 ? 'fill-line-strong' : isToday ? 'fill-accent' : 'fill-control'
        return (
          <rect
            key={date}
            x={index * STEP}
            y={HEIGHT - height}
            width={WIDTH}
            height={height}
            rx={1}
            className={fill}
          />
        )
      })}
    </svg>
  )
}
