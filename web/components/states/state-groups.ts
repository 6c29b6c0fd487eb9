import { SOLD_STATES, STATE_NAMES } from '#core/domain/leads/us-states.ts'

/** Single choices are kept while all states are chosen. */
export interface ChosenStates {
  all: boolean
  codes: string[]
}

export interface StateGroup {
  label: string
  states: { code: string; name: string }[]
}

const GROUPS: readonly [string, string][] = [
  ['Northeast', 'CT ME MA NH RI VT NJ NY PA'],
  ['Midwest', 'IL IN MI OH WI IA KS MN MO NE ND SD'],
  ['South', 'DE DC FL GA MD NC SC VA WV AL KY MS TN AR LA OK TX'],
  ['West', 'AZ CO ID MT NV NM UT WY AK CA HI OR WA'],
  ['Territories', 'PR VI GU AS MP'],
]

/** Groups the states and territories whose leads are sold by Census region, filtered by name or code. */
export function groupStates(search: string): StateGroup[] {
  const wanted = search.trim().toLowerCase()
  const fits = (code: string, name: string) =>
    name.toLowerCase().includes(wanted) || code.toLowerCase() === wanted
  return GROUPS.map(([label, codes]) => ({
    label,
    states: codes
      .split(' ')
      .map((code) => ({ code, name: STATE_NAMES[code] ?? code }))
      .filter(({ code, name }) => fits(code, name))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
  })).filter(({ states }) => states.length > 0)
}

export const STATE_COUNT = SOLD_STATES.length
