import { localMoment } from '../market/local-moment.ts'
import { findCallingWindow, hoursOn, isOpenThere, type CallingWindow } from './calling/calling-window.ts'
import { ruleOf, type DayHours } from './calling/call-rules.ts'
import { zonesOf, type Whereabouts } from './call-zones.ts'

export interface CallHours {
  /** the wall clock there, one for each possible time: "9:05 AM EST" */
  times: string[]
  /** `unsure` if calling is allowed in one of the zones and not in another */
  standing: 'open' | 'closed' | 'unsure'
  /** whether the state's zones show several times and nothing says in which the person is */
  isGuess: boolean
  /** the hours of this day at the person's place; null if it is a day without calls */
  today: DayHours
  /** the present or the next hours */
  window: CallingWindow | undefined
}

/** Whether calling is allowed now; undefined if the person's place is unknown. */
export function judgeCallHours(where: Whereabouts, at: Date): CallHours | undefined {
  const zones = zonesOf(where)
  const [likeliest] = zones
  if (likeliest === undefined) return undefined
  const rule = ruleOf(where.state)
  const open = zones.map((zone) => isOpenThere(rule, localMoment(zone, at)))
  // Two zones of a state may show the same time for half of the year.
  const times = [...new Set(zones.map((zone) => writeTime(at, zone)))]
  const standing = open.every(Boolean) ? 'open' : open.some(Boolean) ? 'unsure' : 'closed'
  return {
    times,
    standing,
    isGuess: times.length > 1,
    today: hoursOn(rule, localMoment(likeliest, at).date),
    window: findCallingWindow(where, at),
  }
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
