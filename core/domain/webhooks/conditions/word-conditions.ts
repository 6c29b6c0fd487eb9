import type { Conditions, LeadRule } from '#core/contract/webhooks/conditions.ts'
import { leadTypeLabel } from '../../leads/lead-values.ts'

/** Number of values that are named; of further ones only the number is given. */
const MOST_NAMED = 3

/** The conditions in a line: "State is CA or TX, and age is 50 to 80". */
export function wordConditions({ match, rules }: Conditions): string {
  const [first = '', ...others] = rules.map(wordRule)
  const glue = match === 'all' ? ', and ' : ', or '
  return [capitalise(first), ...others].join(glue)
}

/** The reason why a lead is not sent, in a line, by the fields of the unmet rules. It names no value. */
export function wordMisfit(unmet: readonly string[]): string {
  const fields = new Intl.ListFormat('en-US').format(unmet.map(nameField))
  return `${fields} ${unmet.length === 1 ? 'does' : 'do'} not fit its conditions`
}

function wordRule(rule: LeadRule): string {
  switch (rule.field) {
    case 'age': {
      const { from, to, accept_unknown: acceptUnknown } = rule
      const range =
        from === null ? `at most ${to ?? 0}` : to === null ? `${from} or more` : `${from} to ${to}`
      return `age is ${range}${acceptUnknown ? ' or not known' : ''}`
    }
    case 'is_test':
      return rule.is ? 'it is a test lead' : 'it is no test lead'
    default: {
      const { field, is, is_not: isNot } = rule
      const values = (is ?? isNot ?? []).map((value) =>
        field === 'lead_type' ? leadTypeLabel(value) : value,
      )
      return `${nameField(field)} is ${is === undefined ? 'not ' : ''}${list(values)}`
    }
  }
}

function nameField(field: string): string {
  if (field === 'is_test') return 'test'
  if (field === 'zip') return 'ZIP code'
  return field === 'lead_type' ? 'type' : field.startsWith('custom.') ? field.slice('custom.'.length) : field
}

function list(values: readonly string[]): string {
  if (values.length <= MOST_NAMED) return new Intl.ListFormat('en-US', { type: 'disjunction' }).format(values)
  return `${values.slice(0, MOST_NAMED).join(', ')} or ${values.length - MOST_NAMED} more`
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
