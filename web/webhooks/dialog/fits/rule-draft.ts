import { z } from 'zod'
import { leadRuleSchema, type LeadRule } from '#core/contract/webhooks/conditions.ts'
import { STATE_NAMES } from '#core/domain/leads/us-states.ts'
import { readTyped } from './read-typed.ts'

export const RULE_FIELDS = ['lead_type', 'state', 'zip', 'source', 'age', 'is_test', 'custom'] as const
export type RuleField = (typeof RULE_FIELDS)[number]

const CUSTOM = 'custom.'

/** One condition in the form. */
export const ruleDraftSchema = z
  .object({
    about: z.enum(RULE_FIELDS),
    /** name of a custom field, without `custom.` */
    name: z.string(),
    is_not: z.boolean(),
    values: z.array(z.string()),
    /** the typed text that is not a value yet; it counts as one */
    typed: z.string(),
    from: z.string(),
    to: z.string(),
    accept_unknown: z.boolean(),
    is_test: z.boolean(),
  })
  .superRefine((draft, context) => {
    for (const { part, message } of findRuleFaults(draft)) {
      context.addIssue({ code: 'custom', path: [part], message })
    }
  })
export type RuleDraft = z.infer<typeof ruleDraftSchema>

export const NEW_RULE: Readonly<RuleDraft> = {
  about: 'state',
  name: '',
  is_not: false,
  values: [],
  typed: '',
  from: '',
  to: '',
  accept_unknown: false,
  is_test: false,
}

/** The part of a condition that has an error. */
export type RulePart = 'name' | 'values' | 'from' | 'to'

const WORDS: Readonly<Record<string, string>> = {
  'Needs from or to': 'Enter an age',
  'Must not be below from': 'Must not be below the first age',
  'Name at least one value': 'Enter at least one value',
}

function findRuleFaults(draft: RuleDraft): { part: RulePart; message: string }[] {
  if (draft.about === 'custom') {
    if (draft.name.trim() === '') return [{ part: 'name', message: 'Enter its name' }]
    const isName = leadRuleSchema.safeParse({ field: fieldOf(draft), is: ['x'] }).success
    if (!isName) return [{ part: 'name', message: 'Letters, digits, _ . and - only, at most 64' }]
  }
  const stranger = draft.about === 'state' ? findStranger(draft) : undefined
  if (stranger !== undefined) return [{ part: 'values', message: `“${stranger}” is no state` }]
  const { error } = leadRuleSchema.safeParse(writeRule(draft))
  return (error?.issues ?? []).map(({ path, message }) => placeRuleFault(path, message))
}

/** Finds an unknown state. No lead can have one, because a lead with an unknown state is refused. */
function findStranger({ values, typed }: RuleDraft): string | undefined {
  return [...values, ...readTyped('state', typed)].find(
    (value) => !Object.hasOwn(STATE_NAMES, value.toUpperCase()),
  )
}

/** Returns the part of a condition that an error of the form or the server belongs to. */
export function placeRuleFault(
  path: readonly PropertyKey[],
  message: string,
): { part: RulePart; message: string } {
  // If the rule matches no schema, the message begins with the member's path.
  const [, before = '', sentence = message] = /^(is|is_not|from|to)(?:\.\d+)?: (.*)$/.exec(message) ?? []
  const member = String(path[0] ?? before)
  const part = member === 'from' || member === 'to' ? member : member === 'field' ? 'name' : 'values'
  return { part, message: WORDS[sentence] ?? sentence }
}

/** Returns the rule in the form of the API. Invalid input stays as it is, so that the schema refuses it. */
export function writeRule(draft: RuleDraft): unknown {
  const { about, is_not: isNot, is_test: isTest, from, to, accept_unknown } = draft
  if (about === 'is_test') return { field: about, is: isTest }
  if (about === 'age') return { field: about, from: readAge(from), to: readAge(to), accept_unknown }
  const values = [...draft.values, ...readTyped(about, draft.typed)]
  return { field: fieldOf(draft), [isNot ? 'is_not' : 'is']: values }
}

export function showRule(rule: LeadRule): RuleDraft {
  if (rule.field === 'is_test') return { ...NEW_RULE, about: rule.field, is_test: rule.is }
  if (rule.field === 'age') {
    const { accept_unknown, from, to } = rule
    return { ...NEW_RULE, about: rule.field, from: showAge(from), to: showAge(to), accept_unknown }
  }
  const { field, is, is_not: isNot } = rule
  const values = { is_not: is === undefined, values: is ?? isNot ?? [] }
  return field === 'lead_type' || field === 'source' || field === 'state' || field === 'zip'
    ? { ...NEW_RULE, about: field, ...values }
    : { ...NEW_RULE, about: 'custom', name: field.slice(CUSTOM.length), ...values }
}

function fieldOf({ about, name }: Pick<RuleDraft, 'about' | 'name'>): string {
  return about === 'custom' ? `${CUSTOM}${name.trim()}` : about
}

function readAge(text: string): number | string | null {
  const plain = text.trim()
  return plain === '' ? null : Number.isNaN(Number(plain)) ? plain : Number(plain)
}

function showAge(age: number | null): string {
  return age === null ? '' : String(age)
}
