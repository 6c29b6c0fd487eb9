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

/**
 * Groups the states and territories whose leads are sold by Census region.
 * @param search part of a name, a code, or a list of them: "TX, FL, Ohio" or "TX FL OH"
 */
export function groupStates(search: string): StateGroup[] {
  const fits = compileSearch(search)
  return GROUPS.map(([label, codes]) => ({
    label,
    states: codes
      .split(' ')
      .map((code) => ({ code, name: STATE_NAMES[code] ?? code }))
      .filter(({ code, name }) => fits(code.toLowerCase(), name.toLowerCase()))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
  })).filter(({ states }) => states.length > 0)
}

function compileSearch(search: string): (code: string, name: string) => boolean {
  const text = search.trim().toLowerCase()
  const isListOfCodes = /^[a-z]{2}(\s+[a-z]{2})+$/.test(text)
  const terms = text.split(isListOfCodes ? /\s+/ : /[,;\n]+/).map((term) => term.trim())
  const [only = ''] = terms
  if (terms.length === 1) return (code, name) => name.includes(only) || code === only
  // "in" is Indiana in a list, although it is part of other names.
  return (code, name) => terms.some((term) => code === term || (term.length > 2 && name.includes(term)))
}

export const STATE_COUNT = SOLD_STATES.length
