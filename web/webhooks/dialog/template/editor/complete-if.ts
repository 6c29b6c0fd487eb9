import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { sampleValues } from '#core/domain/leads/sample-lead.ts'
import { PLACEHOLDERS } from '#core/domain/webhooks/template/placeholders.ts'
import { describeSample } from '../palette/describe-sample.ts'

const BEHIND_A_COMMA = /\|\s*if:[^{}"\\|\n]*,\s*(?:[a-z][\w.]*)?/

/** For the results of an `if`, offers the placeholders with `lead.` in front, which tells them from texts. */
export function completeIf(context: CompletionContext): CompletionResult | null {
  const typed = context.matchBefore(BEHIND_A_COMMA)
  if (typed === null) return null
  const begun = /[\w.]*$/.exec(typed.text)?.[0] ?? ''
  const samples = sampleValues('test', new Date())
  return {
    from: typed.to - begun.length,
    options: PLACEHOLDERS.map(({ name, description }) => ({
      label: `lead.${name}`,
      sortText: name,
      detail: describeSample(samples[name]),
      info: description,
    })),
    validFor: /^[\w.]*$/,
  }
}
