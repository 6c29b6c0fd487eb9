import type { FieldError } from '#core/contract/problem.ts'
import type { Conditions, LeadRule } from '#core/contract/webhooks/conditions.ts'
import { stateCode } from '../../leads/us-states.ts'

/**
 * Conditions as they are saved: a state by its name, or by its code in any case, becomes its code, as that of every lead does
 * (docs/product.md §3).
 * @returns `errors` for each rule that names what is no state: `is` would fit no lead for it, and `is_not` each
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

/** The first value that is no state, if there is one: the others are found when that is mended. */
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
