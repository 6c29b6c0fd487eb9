import type { FieldError } from '#core/contract/problem.ts'
import type { Conditions, LeadRule } from '#core/contract/webhooks/conditions.ts'
import { stateCode } from '../../leads/us-states.ts'

/**
 * Converts conditions to their stored form: a state by its name, or by its code in any case, becomes its code, like the
 * state of every lead (docs/product.md §3).
 * @returns `errors` for each rule that names an unknown state: with it `is` would match no lead, and `is_not` every
 * lead
 */
export function readStates(conditions: Conditions): { conditions: Conditions; errors: FieldError[] } {
  const errors = conditions.rules.flatMap((rule, index) =>
    findStrangers(rule).map(({ path, value }) => ({
      path: `conditions.rules.${index}.${path}`,
      message: `“${value}” is no state`,
    })),
  )
  return { conditions: { ...conditions, rules: conditions.rules.map(readRule) }, errors }
}

/** The first value that is no state, if there is one: the others are found once that is fixed. */
function findStrangers(rule: LeadRule): { path: string; value: string }[] {
  if (rule.field !== 'state') return []
  const values = rule.is ?? rule.is_not ?? []
  const at = values.findIndex((value) => stateCode(value) === undefined)
  return at === -1
    ? []
    : [{ path: `${rule.is === undefined ? 'is_not' : 'is'}.${at}`, value: values[at] ?? '' }]
}

function readRule(rule: LeadRule): LeadRule {
  if (rule.field !== 'state') return rule
  return rule.is === undefined
    ? { ...rule, is_not: readCodes(rule.is_not ?? []) }
    : { ...rule, is: readCodes(rule.is) }
}

function readCodes(values: readonly string[]): string[] {
  return [...new Set(values.map((value) => stateCode(value) ?? value))]
}
