/** What the calendar and the clock on the wall show somewhere; `month` and `day` begin with 1. */
export interface WallTime {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

/**
 * To be kept: making one costs more than a thousand looks at it.
 * @param zone IANA's name; a RangeError says that there is none of that name
 */
export function openWallClock(zone: string): (at: Date) => WallTime {
  const format = new Intl.DateTimeFormat('en-US', {
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  // A text costs a third of its parts, so these only say which number is which.
  const order = format.formatToParts(0).flatMap(({ type }) => (isShown(type) ? [type] : []))
  return (at) => {
    const time = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 }
    for (const [place, digits] of (format.format(at).match(/\d+/g) ?? []).entries()) {
      const part = order[place]
      if (part !== undefined) time[part] = Number(digits)
    }
    return time
  }
}

const SHOWN: ReadonlySet<string> = new Set(['year', 'month', 'day', 'hour', 'minute', 'second'])

function isShown(part: string): part is keyof WallTime {
  return SHOWN.has(part)
}
