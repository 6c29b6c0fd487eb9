import { z } from 'zod'
import { trimText } from '../trim-invisible.ts'

/**
 * docs/product.md §9: limits of the rules of one configuration, the values of one rule, and the characters of all
 * values together.
 */
export const MOST_RULES = 20
export const MOST_RULE_VALUES = 100
export const MOST_RULE_CHARACTERS = 16_384

const AGE = 'Must be from 0 to 120'
const age = z.int({ error: 'Must be a whole number' }).min(0, AGE).max(120, AGE)

const values = z
  .array(
    z
      .string({ error: 'Must be a text' })
      .trim()
      // A value of invisible characters may be stored already, and must not stop its configuration.
      .overwrite((value) => trimText(value) || value)
      .min(1, 'Must not be empty')
      .max(200, 'Is too long (at most 200 characters)'),
    { error: 'Must be a list of texts' },
  )
  .min(1, 'Name at least one value')
  .max(MOST_RULE_VALUES, `Name at most ${MOST_RULE_VALUES} values`)
  .transform((given) => [...new Set(given)])
/** One of the two: the values that match, or those that do not. Upper and lower case are the same. */
const text = { is: values.optional(), is_not: values.optional() }
type Text = { is?: string[] | undefined; is_not?: string[] | undefined }
const isOneOf = (rule: Text): boolean => (rule.is === undefined) !== (rule.is_not === undefined)
const oneOf = { error: 'Needs one of is and is_not', path: ['is'] }

/** A place by its ZIP code: the code, its first three or four digits, or a circle: `within 25 miles of 75201`. */
const ZIP_VALUE = /^(?:\d{3,5}|within [1-9]\d{0,2} miles? of \d{5})$/i
const zips = values.refine((given) => given.every((value) => ZIP_VALUE.test(value)), {
  error: 'Must be a ZIP code, its first three or four digits, or like “within 25 miles of 75201”',
})

const rulesOf = {
  words: z.strictObject({ field: z.enum(['lead_type', 'source', 'state']), ...text }).refine(isOneOf, oneOf),
  custom: z
    .strictObject({
      field: z.templateLiteral(['custom.', z.string().regex(/^[\w.-]{1,64}$/)]),
      ...text,
    })
    .refine(isOneOf, oneOf),
  zip: z
    .strictObject({ field: z.literal('zip'), is: zips.optional(), is_not: zips.optional() })
    .refine(isOneOf, oneOf),
  age: z
    .strictObject({
      field: z.literal('age'),
      from: age.nullable().default(null),
      to: age.nullable().default(null),
      accept_unknown: z.boolean().default(false),
    })
    .refine(({ from, to }) => from !== null || to !== null, { error: 'Needs from or to', path: ['from'] })
    .refine(({ from, to }) => from === null || to === null || from <= to, {
      error: 'Must not be below from',
      path: ['to'],
    }),
  test: z.strictObject({ field: z.literal('is_test'), is: z.boolean({ error: 'Must be true or false' }) }),
}

interface Fault {
  path: PropertyKey[]
  message: string
}

/** Describes the fault of the kind of rule that was meant: the kind whose `field` it has. */
function describeFault(kinds: unknown): string {
  const faults = (kinds as Fault[][]).find((kind) =>
    kind.every(({ path: [member] }) => member !== 'field'),
  )?.[0]
  if (faults === undefined)
    return 'Must be a rule about lead_type, source, state, zip, age, is_test or custom.<name>'
  return faults.path.length === 0 ? faults.message : `${faults.path.join('.')}: ${faults.message}`
}

/** One rule about a lead. A missing text equals none of the values: `is` does not match it, `is_not` does. */
export const leadRuleSchema = z.union(
  [rulesOf.words, rulesOf.zip, rulesOf.age, rulesOf.test, rulesOf.custom],
  {
    error: ({ errors }) => describeFault(errors),
  },
)
export type LeadRule = z.infer<typeof leadRuleSchema>

/** The leads that a configuration is sent: those that meet all of the rules, or any of them (docs/product.md §3). */
export const conditionsSchema = z.strictObject({
  match: z.enum(['all', 'any'], { error: 'Must be all or any' }),
  rules: z
    .array(leadRuleSchema, { error: 'Must be a list of rules' })
    .min(1, 'Needs a rule; for every lead leave the conditions out')
    .max(MOST_RULES, `At most ${MOST_RULES} rules`),
})
export type Conditions = z.infer<typeof conditionsSchema>

/**
 * The limits at save, because planning keeps the conditions of many configurations in memory. Longer ones that were
 * stored before the limit remain valid.
 */
export const newConditionsSchema = conditionsSchema.refine(
  ({ rules }) => countCharacters(rules.flatMap(valuesOf)) <= MOST_RULE_CHARACTERS,
  `All values together are too long (at most ${MOST_RULE_CHARACTERS.toLocaleString('en-US')} characters)`,
)

/** The values of a rule as texts. */
export function valuesOf(rule: LeadRule): readonly string[] {
  return rule.field === 'age' || rule.field === 'is_test' ? [] : (rule.is ?? rule.is_not ?? [])
}

export function countCharacters(values: readonly string[]): number {
  return values.reduce((sum, value) => sum + value.length, 0)
}
