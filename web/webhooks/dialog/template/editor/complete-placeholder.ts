import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { sampleValues } from '#core/domain/leads/sample-lead.ts'
import type { PlaceholderValue } from '#core/domain/webhooks/template/placeholder-value.ts'
import { PLACEHOLDERS } from '#core/domain/webhooks/template/placeholders.ts'
import { writePlaceholder } from '../write-placeholder.ts'

/** After `{{` every placeholder with its sample value, and beside the chosen one what it means. */
export function completePlaceholder(context: CompletionContext): CompletionResult | null {
  const typed = context.matchBefore(/\{\{\s*[\w.]*/)
  if (typed === null) return null
  return { from: typed.from, options: listOptions(), filter: true, validFor: /^\{\{\s*[\w.]*$/ }
}

let options: Completion[] | undefined

function listOptions(): Completion[] {
  const samples = sampleValues('test', new Date())
  options ??= PLACEHOLDERS.map(({ name, description, group }) => ({
    label: `{{${name}}}`,
    detail: describeSample(samples[name]),
    info: description,
    section: group,
    apply: (view, _completion, from, to) => {
      // Braces that are there already, of an editor that closes them or of an earlier try, are not doubled.
      const behind = view.state.sliceDoc(to, to + 2)
      const end = to + (behind === '}}' ? 2 : behind.startsWith('}') ? 1 : 0)
      const insert = writePlaceholder(view.state.sliceDoc(0, from), name)
      view.dispatch({
        changes: { from, to: end, insert },
        selection: { anchor: from + insert.length },
        userEvent: 'input.complete',
      })
    },
  }))
  return options
}

function describeSample(value: PlaceholderValue | undefined): string {
  const text = value === null || value === undefined ? 'empty' : String(value)
  return text.length > 28 ? `${text.slice(0, 27)}…` : text
}
