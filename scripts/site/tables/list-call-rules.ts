import {
  FEDERAL_RULE,
  STATE_RULES,
  type CallRule,
  type DayHours,
} from '#core/domain/leads/calling/call-rules.ts'
import { FEDERAL_SOURCE, STATE_SOURCES, type CallSource } from '#core/domain/leads/calling/call-sources.ts'
import { STATE_NAMES } from '#core/domain/leads/us-states.ts'
import { writeTable } from './write-table.ts'

/** The calling hours of each state with a rule of its own, after the federal ones. */
export function listCallRules(): string {
  const rows = [
    describe('Every other state and territory', FEDERAL_RULE, FEDERAL_SOURCE),
    ...Object.entries(STATE_RULES).map(([code, rule]) =>
      describe(`${STATE_NAMES[code] ?? code} (${code})`, rule, STATE_SOURCES[code] ?? FEDERAL_SOURCE),
    ),
  ]
  return writeTable(['State', 'Mon–Fri', 'Sat', 'Sun', 'Holidays', 'Law, and where we read it'], rows)
}

function describe(state: string, rule: CallRule, from: CallSource): string[] {
  const { weekdays, saturday, sunday, closed } = rule
  const { most_calls: most, law, url, checked, note } = from
  const holidays = closed === undefined ? 'open' : ['closed', ...closed.map(({ name }) => name)].join('; ')
  const more = [
    ...(most === undefined ? [] : [`At most ${most} calls in 24 hours.`]),
    ...(note === undefined ? [] : [note]),
  ]
  const source = `[${law}](${url}), checked ${checked}.`
  return [state, write(weekdays), write(saturday), write(sunday), holidays, [source, ...more].join(' ')]
}

function write(hours: DayHours): string {
  return hours === null ? 'no calls' : `${hours[0]}:00–${hours[1]}:00`
}
