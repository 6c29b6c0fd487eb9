/** Calendar date and wall-clock time in a zone; `month` and `day` begin with 1. */
export interface WallTime {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

/**
 * Opens a clock, to be kept: making one costs more than reading it a thousand times.
 * @param zone IANA's name
 * @throws RangeError if there is none of that name
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
  // A text costs a third of its parts, so the parts are used only once, to find the position of each number.
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
