import { STATE_ZONES, zoneOfZip } from './us-zones.ts'

/** Calls are allowed from 8 AM to 9 PM at the person's place. */
const OPENS = 8 * 60
const CLOSES = 21 * 60

/** The known facts about a person's place. */
export interface Whereabouts {
  timezone: string | null
  state: string | null
  zip: string | null
}

export interface CallHours {
  /** the wall clock there, one for each possible zone: "9:05 AM EST" */
  times: string[]
  /** `unsure` if calling is allowed in one of the zones and not in another */
  standing: 'open' | 'closed' | 'unsure'
  /** whether the state lies in several zones and nothing says in which the person is */
  isGuess: boolean
}

/** The possible zones of a person, the likeliest first; none if nothing is known. */
export function zonesOf({ timezone, state, zip }: Whereabouts): readonly string[] {
  if (timezone !== null && isZone(timezone)) return [timezone]
  if (state === null) return []
  const byZip = zip === null ? undefined : zoneOfZip(state, zip)
  return byZip === undefined ? (STATE_ZONES[state] ?? []) : [byZip]
}

/** Whether calling is allowed now; undefined if the person's place is unknown. */
export function judgeCallHours(where: Whereabouts, at: Date): CallHours | undefined {
  const zones = zonesOf(where)
  if (zones.length === 0) return undefined
  const open = zones.map((zone) => {
    const minute = minuteThere(at, zone)
    return minute >= OPENS && minute < CLOSES
  })
  const standing = open.every(Boolean) ? 'open' : open.some(Boolean) ? 'unsure' : 'closed'
  return { times: zones.map((zone) => writeTime(at, zone)), standing, isGuess: zones.length > 1 }
}

function isZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function minuteThere(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(at)
  const read = (type: 'hour' | 'minute') => Number(parts.find((part) => part.type === type)?.value)
  return read('hour') * 60 + read('minute')
}

function writeTime(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  })
    .format(at)
    .replaceAll('\u202F', ' ')
}
