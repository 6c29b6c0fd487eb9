import { z } from 'zod'
import { trimText } from '../trim-invisible.ts'
import { jsonPathSchema, newJsonPathSchema } from './json-path.ts'

/** The meaning of an endpoint's 2xx answer for the lead, by the configuration's success rule. */
export const OUTCOMES = ['accepted', 'duplicate', 'rejected'] as const
export const outcomeSchema = z.enum(OUTCOMES)
export type Outcome = z.infer<typeof outcomeSchema>

const text = (name: string) => z.string().max(200, `${name} is too long (at most 200 characters)`)
const equalTo = (value: z.ZodString) => z.union([value, z.number(), z.boolean(), z.null()])
const equals = equalTo(text('A value'))
const newEquals = equalTo(text('A value').overwrite(trimText))
const contains = text('The text').min(1, 'Enter the text to look for')

/**
 * One test of an answer's body. `equals` compares as text (0 and "0" are the same), `contains` searches the whole body;
 * both ignore upper and lower case.
 */
export const matchSchema = z.union([
  z.strictObject({ path: jsonPathSchema, equals }),
  z.strictObject({ contains }),
])
export type Match = z.infer<typeof matchSchema>

/** One test of an answer's body, in the form in which a client sets it. */
export const newMatchSchema = z.union([
  z.strictObject({
    path: newJsonPathSchema,
    equals: newEquals.superRefine(refusePlaceholders).superRefine(refuseQuotes).superRefine(refuseOperators),
  }),
  z.strictObject({ contains: contains.superRefine(refusePlaceholders).superRefine(refusePatterns) }),
])

/** No answer repeats the names of placeholders, so such a rule could never match. */
function refusePlaceholders(value: unknown, context: z.RefinementCtx): void {
  const [placeholder] = /\{\{[^{}]*\}\}/.exec(String(value)) ?? []
  if (placeholder === undefined) return
  context.addIssue({ code: 'custom', message: `Placeholders are not filled in here: ${placeholder}` })
}

/** Values are compared without quotation marks, so a value with them could never match. */
function refuseQuotes(value: unknown, context: z.RefinementCtx): void {
  const given = String(value).trim()
  const [, quoted, single, ticked] = /^(?:["“„]([^"“”„]*)["“”]|['‘‚](.*)['‘’]|`(.*)`),?$/s.exec(given) ?? []
  const inner = quoted ?? single ?? ticked
  if (inner === undefined) return
  const right = inner === '' ? 'Leave this empty' : `Write ${inner}`
  context.addIssue({ code: 'custom', message: `${right} instead of ${given}` })
}

/** `=` before a value is ignored; any other comparison would have to be in the answer itself. */
function refuseOperators(value: unknown, context: z.RefinementCtx): void {
  const given = String(value)
  const [, equal] = /^={1,3}\s*([^\s=].*)$/s.exec(given) ?? []
  const isOther =
    PATTERN.test(given) ||
    /^(?:!=|<>|[<>]=?\s*-?\d|\*$|[1-5]xx$|(?:is )?not (?:null|empty)$)|\|\|/i.test(given)
  if (equal !== undefined) context.addIssue({ code: 'custom', message: `Write ${equal} instead of ${given}` })
  else if (isOther)
    context.addIssue({
      code: 'custom',
      message: `Only an equal value fits here, so ${given} never does`,
    })
}

/** Wildcards and regular expressions around a text, which no answer contains. */
const PATTERN =
  /^(?:\*(?!\s)([^*]+)(?<!\s)\*|%(?![\d\s])([^%]+)(?<!\s)%|\.\*([^*]+)\.\*|\/([^/]+)\/(?:i|gi?|ig)|\^([^$]+)\$?)$/

function refusePatterns(given: string, context: z.RefinementCtx): void {
  const inner = PATTERN.exec(given)
    ?.slice(1)
    .find((held) => held !== undefined)
  if (inner !== undefined) context.addIssue({ code: 'custom', message: `Write ${inner} instead of ${given}` })
}

const partsOf = <Part extends z.ZodType>(part: Part) => ({
  accepted: part.optional(),
  duplicate: part.optional(),
  rejected: part.optional(),
})
const isAsking = (rule: object): boolean => Object.values(rule).some((match) => match !== undefined)
const asksNothing = { error: 'A success rule needs at least one of accepted, duplicate and rejected' }

/**
 * Reads the body of a 2xx answer. `duplicate` is tried first, then `rejected`, then `accepted`. If `accepted` is given,
 * an answer that matches nothing is a failure; otherwise such an answer is accepted.
 */
export const successRuleSchema = z.strictObject(partsOf(matchSchema)).refine(isAsking, asksNothing)
export type SuccessRule = z.infer<typeof successRuleSchema>

/**
 * The success rule in the form in which a client saves it: a rule that can never match is refused. Rules stored earlier
 * are still read.
 */
export const newSuccessRuleSchema = z
  .strictObject(partsOf(newMatchSchema))
  .refine(isAsking, asksNothing)
  .superRefine((rule, context) => {
    for (const [at, name] of TRIED.entries()) {
      const before = TRIED.slice(0, at).find((earlier) => isCovered(rule[name], rule[earlier]))
      if (before === undefined) continue
      const message = `This can never fit: ${before} is tried before it, and fits whatever this does`
      context.addIssue({ code: 'custom', path: [name], message })
    }
  })

const TRIED: readonly Outcome[] = ['duplicate', 'rejected', 'accepted']

function isCovered(match: Match | undefined, earlier: Match | undefined): boolean {
  if (match === undefined || earlier === undefined) return false
  const lower = (value: unknown): string =>
    String(value)
      .toLowerCase()
      .replaceAll(/[“”„]/g, '"')
      .replaceAll(/[‘’‚]/g, "'")
      .replaceAll(/(?<=:)\s+/g, '')
  if ('contains' in earlier) {
    return textsOf(match).some((text) => lower(text).includes(lower(earlier.contains)))
  }
  if ('contains' in match) return false
  return (
    fromRoot(match.path) === fromRoot(earlier.path) &&
    lower(match.equals).trim() === lower(earlier.equals).trim()
  )
}

/**
 * Lists the texts that occur in every body that a match fits: plain words as they are written here, and the names that
 * lead to them.
 */
function textsOf(match: Match): string[] {
  if ('contains' in match) return [match.contains]
  const value = String(match.equals)
  const names = fromRoot(match.path).split(/[.[\]]+/)
  return [
    ...(/^[\w ]*$/.test(value) ? [value] : []),
    // A number or `length` may count items, and `$` may be the whole answer.
    ...names
      .filter((name) => /^(?!(?:\d+|length|size|count)$)[\w -]+$/i.test(name))
      .map((name) => `"${name}":`),
    ...(value.startsWith('[') ? [`"${names.at(-1)}":[`] : []),
  ]
}

const fromRoot = (path: string): string => path.replace(/^(?:[$@]|\$\w+)(?=[.[])\.?/, '')

/**
 * The handling of placeholders without a value; core/domain/webhooks/template/render-template.ts describes it in full.
 */
export const MISSING_VALUES = ['empty', 'null', 'omit'] as const
export const missingValuesSchema = z.enum(MISSING_VALUES)
export type MissingValues = z.infer<typeof missingValuesSchema>
