import {
  FEDERAL_RULE,
  STATE_RULES,
  type CallRule,
  type DayHours,
} from '#core/domain/leads/calling/call-rules.ts'
import { FEDERAL_SOURCE, STATE_SOURCES, type CallSource } from '#core/domain/leads/calling/call-sources.ts'
import { STATE_NAMES } from '#core/domain/leads/us-states.ts'
import { writeTable } from './write-table.ts'

const OTHERS = 'All others'

/** The calling hours of each state with a rule of its own, after the federal ones, and where they were read. */
export function listCallRules(): string {
  const rules = Object.entries(STATE_RULES).map(([code, rule]) => describeRule(nameState(code), rule))
  const sources = Object.entries(STATE_SOURCES).map(([code, one]) => describeSource(nameState(code), one))
  return [
    '### Hours',
    writeTable(['State', 'Calls are allowed', 'Holidays'], [describeRule(OTHERS, FEDERAL_RULE), ...rules]),
    '### Where we read them',
    writeTable(['State', 'Law', 'Notes'], [describeSource(OTHERS, FEDERAL_SOURCE), ...sources]),
  ].join('\n\n')
}

const nameState = (code: string): string => `${STATE_NAMES[code] ?? code} (${code})`

function describeRule(state: string, { weekdays, saturday, sunday, closed }: CallRule): string[] {
  const days = [
    ['Mon–Fri', weekdays],
    ['Sat', saturday],
    ['Sun', sunday],
  ] as const
  const isSame = String(weekdays) === String(saturday) && String(saturday) === String(sunday)
  const hours = isSame
    ? `Every day ${write(weekdays)}`
    : days.map(([day, open]) => `${day} ${write(open)}`).join('; ')
  const holidays =
    closed === undefined
      ? 'as other days'
      : ['No calls: federal', ...closed.map(({ name }) => name)].join(', ')
  return [state, hours, holidays]
}

function describeSource(state: string, { law, url, checked, most_calls: most, note }: CallSource): string[] {
  const notes = [
    ...(most === undefined ? [] : [`At most ${most} calls in 24 hours.`]),
    ...(note === undefined ? [] : [note]),
    `Checked ${checked}. Not legal advice.`,
  ]
  return [state, `[${law}](${url})`, notes.join(' ')]
}

function write(hours: DayHours): string {
  return hours === null ? 'no calls' : `${writeHour(hours[0])} to ${writeHour(hours[1])}`
}

function writeHour(hour: number): string {
  return `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`
}
