import { z } from 'zod'
import {
  newMatchSchema,
  newSuccessRuleSchema,
  type Match,
  type SuccessRule,
} from '#core/contract/webhooks/answer-rules.ts'

/** One part of the success rule in the form; `none` if it is not used. */
export const matchDraftSchema = z
  .object({ kind: z.enum(['none', 'path', 'contains']), path: z.string(), value: z.string() })
  .superRefine((draft, context) => {
    const fault = newMatchSchema.safeParse(readMatch(draft) ?? { contains: 'x' }).error
    for (const { path, message } of fault?.issues ?? []) {
      context.addIssue({ code: 'custom', path: [path[0] === 'path' ? 'path' : 'value'], message })
    }
  })
export type MatchDraft = z.infer<typeof matchDraftSchema>

export const answerDraftSchema = z
  .object({ accepted: matchDraftSchema, duplicate: matchDraftSchema, rejected: matchDraftSchema })
  .superRefine((draft, context) => {
    const rule = readRule(draft)
    const fault = rule === null ? undefined : newSuccessRuleSchema.safeParse(rule).error
    // The errors of each part were added above.
    for (const { path, message } of fault?.issues.filter((issue) => issue.path.length === 1) ?? [])
      context.addIssue({ code: 'custom', path: [...path, 'value'], message })
  })
export type AnswerDraft = z.infer<typeof answerDraftSchema>

/** Returns the form's success rule; null if no part is used. */
export function readRule({ accepted, duplicate, rejected }: AnswerDraft): SuccessRule | null {
  const parts = {
    accepted: readMatch(accepted),
    duplicate: readMatch(duplicate),
    rejected: readMatch(rejected),
  }
  const given = Object.entries(parts).filter(([, match]) => match !== undefined)
  return given.length === 0 ? null : Object.fromEntries(given)
}

/** Converts a rule to the form's values. */
export function showRule(rule: SuccessRule | null): AnswerDraft {
  return {
    accepted: showMatch(rule?.accepted),
    duplicate: showMatch(rule?.duplicate),
    rejected: showMatch(rule?.rejected),
  }
}

function readMatch({ kind, path, value }: MatchDraft): Match | undefined {
  if (kind === 'none') return undefined
  if (kind === 'contains') return { contains: value }
  return { path: path.trim(), equals: readLiteral(value) }
}

/** Converts true, false, null and plain numbers to JSON values; the comparison uses text anyway. */
function readLiteral(text: string): string | number | boolean | null {
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  return /^-?\d{1,15}$/.test(text) && String(Number(text)) === text ? Number(text) : text
}

function showMatch(match: Match | undefined): MatchDraft {
  if (match === undefined) return { kind: 'none', path: '', value: '' }
  return 'contains' in match
    ? { kind: 'contains', path: '', value: match.contains }
    : { kind: 'path', path: match.path, value: String(match.equals) }
}
