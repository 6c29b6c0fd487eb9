import type { HolidayRule } from '../../holidays.ts'
import { ALABAMA, LOUISIANA, PENNSYLVANIA, RHODE_ISLAND, UTAH } from './state-holidays.ts'

/** Hours of one day by the wall clock of the person called, from the first until the second; null: no calls. */
export type DayHours = readonly [from: number, until: number] | null

/**
 * When one state allows calls that sell something. It is information, not legal advice; call-sources.ts names the law of
 * each.
 */
export interface CallRule {
  weekdays: DayHours
  saturday: DayHours
  sunday: DayHours
  /** days without calls, besides federal holidays; left out: holidays are like other days */
  closed?: readonly HolidayRule[]
}

const daily = (from: number, until: number) =>
  ({ weekdays: [from, until], saturday: [from, until], sunday: [from, until] }) as const
const exceptSunday = (from: number, until: number) => ({ ...daily(from, until), sunday: null })

/** The rule of every state that has no row of its own. */
export const FEDERAL_RULE: CallRule = daily(8, 21)

/** States with stricter hours than the federal ones, by their codes. Not legal advice. */
export const STATE_RULES: Readonly<Record<string, CallRule>> = {
  AL: {
    ...exceptSunday(8, 20),
    closed: ALABAMA,
  },
  CT: daily(9, 20),
  FL: daily(8, 20),
  KY: daily(10, 21),
  LA: {
    ...exceptSunday(8, 20),
    closed: LOUISIANA,
  },
  MA: daily(8, 20),
  MD: daily(8, 20),
  MI: daily(9, 21),
  MN: daily(9, 21),
  MS: exceptSunday(8, 20),
  NM: daily(9, 21),
  NV: daily(9, 20),
  OK: daily(8, 20),
  OR: daily(8, 20),
  PA: {
    ...exceptSunday(9, 19),
    closed: PENNSYLVANIA,
  },
  RI: {
    weekdays: [9, 18],
    saturday: [10, 17],
    sunday: null,
    closed: RHODE_ISLAND,
  },
  SD: exceptSunday(9, 21),
  TX: {
    ...daily(9, 21),
    sunday: [12, 21],
  },
  UT: {
    ...exceptSunday(8, 21),
    closed: UTAH,
  },
  WA: daily(8, 20),
  WY: daily(8, 20),
}

/** The rule of a state; the federal one if it has none of its own, or the state is unknown. */
export function ruleOf(state: string | null): CallRule {
  return (
    (state !== null && Object.hasOwn(STATE_RULES, state) ? STATE_RULES[state] : undefined) ?? FEDERAL_RULE
  )
}
