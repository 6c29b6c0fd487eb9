import type { Schedule } from '#core/contract/market/schedule.ts'
import type { SendingHours } from '#core/contract/webhooks/sending-hours.ts'
import { WEEKDAYS } from '../../market/local-moment.ts'

type Weekday = (typeof WEEKDAYS)[number]

/**
 * The sending hours in a line: "Mon–Fri 9:00 AM to 5:00 PM, Sat 10:00 AM to 2:00 PM (America/Chicago), when it may be
 * called".
 */
export function wordHours({ timezone, schedule, when_callable: callable }: SendingHours): string {
  const said = schedule === null ? [] : [wordSchedule(schedule, timezone)]
  return [...said, ...(callable === true ? ['when it may be called'] : [])].join(', ')
}

function wordSchedule(schedule: Schedule, timezone: string): string {
  const days = WEEKDAYS.map((day) => ({
    day,
    hours: (schedule[day] ?? []).map(([from, to]) => `${wordTime(from)} to ${wordTime(to)}`).join(' and '),
  }))
  const runs: { from: Weekday; to: Weekday; hours: string }[] = []
  for (const { day, hours } of days) {
    const last = runs.at(-1)
    if (last?.hours === hours) last.to = day
    else runs.push({ from: day, to: day, hours })
  }
  const said = runs
    .filter(({ hours }) => hours !== '')
    .map(({ from, to, hours }) => `${wordDays(from, to)} ${hours}`)
  return `${said.join(', ')} (${timezone})`
}

function wordDays(from: Weekday, to: Weekday): string {
  if (from === to) return capitalise(from)
  return from === 'mon' && to === 'sun' ? 'Every day' : `${capitalise(from)}–${capitalise(to)}`
}

/** `09:00` is `9:00 AM`; `24:00`, the end of a day, is `12:00 AM`. */
function wordTime(time: string): string {
  const hour = Number(time.slice(0, 2))
  return `${hour % 12 || 12}:${time.slice(3)} ${hour % 24 < 12 ? 'AM' : 'PM'}`
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
