import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { sampleValues } from '#core/domain/leads/sample-lead.ts'
import { PLACEHOLDERS } from '#core/domain/webhooks/template/placeholders.ts'
import { describeSample } from '../palette/describe-sample.ts'
import { writePlaceholder } from '../palette/write-placeholder.ts'

/**
 * After `{{`, offers every placeholder with a sample value and its meaning; once a name is begun, the nearest
 * come first.
 */
export function completePlaceholder(context: CompletionContext): CompletionResult | null {
  const typed = context.matchBefore(/\{\{\s*[\w.]*/)
  if (typed === null) return null
  const { from } = typed
  return /\w$/.test(typed.text)
    ? { from, options: listOptions(false), validFor: /^\{\{\s*[\w.]+$/ }
    : { from, options: listOptions(true), validFor: /^\{\{\s*$/ }
}

const GROUPS = [...new Set(PLACEHOLDERS.map(({ group }) => group))].map((name, rank) => ({ name, rank }))

function listOptions(isGrouped: boolean): Completion[] {
  const samples = sampleValues('test', new Date())
  return PLACEHOLDERS.map(({ name, description, group }) => {
    const section = isGrouped ? GROUPS.find((one) => one.name === group) : undefined
    return {
      label: `{{${name}}}`,
      // Sorted without braces, so that phone comes before phone_10.
      sortText: name,
      detail: describeSample(samples[name]),
      info: description,
      ...(section === undefined ? {} : { section }),
      apply: (view, _completion, from, to) => {
        // Existing closing braces are not doubled.
        const behind = view.state.sliceDoc(to, to + 2)
        const end = to + (behind === '}}' ? 2 : behind.startsWith('}') ? 1 : 0)
        const insert = writePlaceholder(view.state.sliceDoc(0, from), name)
        view.dispatch({
          changes: { from, to: end, insert },
          selection: { anchor: from + insert.length },
          userEvent: 'input.complete',
        })
      },
    }
  })
}
