import type { LeadFacts } from '#core/contract/webhooks/asked-delivery.ts'
import type { Conditions, LeadRule } from '#core/contract/webhooks/conditions.ts'
import { ageOn } from '../../leads/age-on.ts'

type TextRule = Exclude<LeadRule, { field: 'age' | 'is_test' }>

/** Whether a lead is sent; `unmet` are the rules that it does not fit, none where it is sent. */
export type Fit = { fits: true } | { fits: false; unmet: readonly LeadRule[] }

/**
 * The one rule by which planning, preview and test tell which leads a configuration is sent (docs/product.md §3).
 * @param conditions null: every lead
 * @param at whose age a date of birth is
 */
export function judgeConditions(conditions: Conditions | null, lead: LeadFacts, at: Date): Fit {
  if (conditions === null) return { fits: true }
  const unmet = conditions.rules.filter((rule) => !fitsRule(rule, lead, at))
  const fits = conditions.match === 'all' ? unmet.length === 0 : unmet.length < conditions.rules.length
  return fits ? { fits } : { fits, unmet }
}

/** The fields of the rules that it does not fit, once each. */
export function listUnmet({ unmet }: Extract<Fit, { fits: false }>): string[] {
  return [...new Set(unmet.map(({ field }) => field))]
}

function fitsRule(rule: LeadRule, lead: LeadFacts, at: Date): boolean {
  switch (rule.field) {
    case 'age': {
      const age = lead.age ?? ageOn(lead.date_of_birth, at)
      if (age === null) return rule.accept_unknown
      return (rule.from === null || age >= rule.from) && (rule.to === null || age <= rule.to)
    }
    case 'is_test':
      return lead.is_test === rule.is
    case 'lead_type':
    case 'source':
    case 'state':
      return fitsText(rule, lead[rule.field])
    default: {
      const key = rule.field.slice('custom.'.length)
      return fitsText(rule, Object.hasOwn(lead.custom, key) ? lead.custom[key] : null)
    }
  }
}

/** As text and in any case: a source may send 1, "1" or " Gold". */
function fitsText({ is, is_not: isNot }: Pick<TextRule, 'is' | 'is_not'>, value: unknown): boolean {
  const text = value === null || value === undefined ? undefined : fold(value)
  if (is !== undefined) return text !== undefined && is.some((one) => fold(one) === text)
  return text === undefined || !(isNot ?? []).some((one) => fold(one) === text)
}

function fold(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).trim().toLowerCase()
}
