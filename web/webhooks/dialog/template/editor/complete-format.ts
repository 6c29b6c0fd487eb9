import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { offerFormats } from '../palette/format-uses.ts'

const BEHIND_A_BAR = /\{\{[^{}"\\\n]*\|[^{}"\\|\n]*/

/**
 * After a bar in a placeholder, offers the formats for its value, each with its result for the fictional
 * lead.
 */
export function completeFormat(context: CompletionContext): CompletionResult | null {
  const typed = context.matchBefore(BEHIND_A_BAR)
  if (typed === null) return null
  const bar = typed.text.lastIndexOf('|')
  const behind = typed.text.slice(bar + 1)
  const from = typed.from + bar + 1 + (behind.length - behind.trimStart().length)
  const options = offerFormats(typed.text.slice(2, bar), new Date()).map(
    ({ text, meaning, sample }, index): Completion => ({
      label: text,
      detail: sample,
      info: meaning,
      section: 'Formats',
      // Keeps the list's order unless the typed text fits one better.
      boost: 50 - index,
      apply: (view, _completion, start, end) => {
        const { state } = view
        const gap = state.sliceDoc(start - 1, start) === '|' ? ' ' : ''
        const rest = state.sliceDoc(end, state.doc.lineAt(end).to)
        const close = /^[^{}"]*\}\}/.test(rest) ? '' : '}}'.slice(/^\s*\}/.test(rest) ? 1 : 0)
        const insert = `${gap}${text}${close}`
        view.dispatch({
          changes: { from: start, to: end, insert },
          selection: { anchor: start + insert.length },
          userEvent: 'input.complete',
        })
      },
    }),
  )
  return { from, options, filter: true, validFor: /^[\w:/ ,.-]*$/ }
}
