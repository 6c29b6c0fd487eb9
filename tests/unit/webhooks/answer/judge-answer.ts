import type { SuccessRule } from '#core/contract/webhooks/answer-rules.ts'
import { judgeBody, type Judgement } from '#core/domain/webhooks/answer/judge-body.ts'

/** Judges an answer's body by a rule, and by a path to the receiver's id. */
export const judge = (
  successRule: SuccessRule | null,
  body: string | null,
  {
    capturePath = null,
    bodyTruncated = false,
  }: { capturePath?: string | null; bodyTruncated?: boolean } = {},
): Judgement => judgeBody({ successRule, capturePath }, { body, bodyTruncated })
