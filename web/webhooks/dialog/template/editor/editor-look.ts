import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import {
  Decoration,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  type DecorationSet,
  type ViewUpdate,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'

const colour = (name: string) => `var(--color-${name})`

/** Styles made of the design tokens, which have both themes. */
const theme = EditorView.theme({
  '&': { fontSize: '0.75rem', color: colour('ink'), backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    lineHeight: '1.25rem',
    minHeight: '15.25rem',
    maxHeight: '30rem',
  },
  '.cm-content': { padding: '0.5rem 0', caretColor: colour('ink') },
  '.cm-line': { padding: '0 0.75rem 0 0.5rem' },
  '.cm-gutters': {
    backgroundColor: 'transparent',
    color: colour('faint'),
    border: 'none',
    paddingLeft: '0.25rem',
  },
  '.cm-cursor': { borderLeftColor: colour('ink') },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: colour('accent-soft'),
  },
  '.cm-placeholder-name': {
    color: colour('accent'),
    backgroundColor: colour('accent-soft'),
    borderRadius: '3px',
  },
  '.cm-placeholder-name *': { color: 'inherit' },
  '.cm-fault': { textDecorationLine: 'underline', textDecorationStyle: 'wavy', textUnderlineOffset: '3px' },
  '.cm-fault-error': { textDecorationColor: colour('failure') },
  '.cm-fault-warning': { textDecorationColor: colour('waiting') },
  '.cm-sentence': {
    marginLeft: '0.75rem',
    padding: '0 0.375rem',
    borderRadius: '4px',
    fontFamily: 'var(--font-sans)',
    whiteSpace: 'normal',
  },
  '.cm-sentence-error': { color: colour('failure'), backgroundColor: colour('failure-soft') },
  '.cm-sentence-warning': { color: colour('waiting'), backgroundColor: colour('waiting-soft') },
  '.cm-tooltip': {
    backgroundColor: colour('raised'),
    border: 'none',
    borderRadius: '8px',
    boxShadow: 'var(--shadow-float)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--font-mono)',
    maxHeight: '15rem',
    borderRadius: '8px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.25rem 0.5rem', lineHeight: '1rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > completion-section': {
    fontFamily: 'var(--font-sans)',
    color: colour('muted'),
    border: 'none',
    padding: '0.375rem 0.5rem 0.125rem',
    opacity: '1',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: colour('accent-soft'),
    color: colour('ink'),
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': { fontStyle: 'normal', fontFamily: 'var(--font-sans)', color: colour('muted') },
  '.cm-tooltip.cm-completionInfo': {
    padding: '0.5rem 0.75rem',
    fontFamily: 'var(--font-sans)',
    lineHeight: '1rem',
    maxWidth: '16rem',
  },
  // Without room beside the list, the meaning becomes its last line and does not cover the names.
  '.cm-tooltip.cm-completionInfo-left-narrow, .cm-tooltip.cm-completionInfo-right-narrow': {
    position: 'static !important',
    contain: 'inline-size',
    // Undoes the width for a place beside the list.
    maxWidth: 'none !important',
    boxShadow: 'none',
    borderTop: `1px solid ${colour('line')}`,
    borderRadius: '0',
  },
})

const highlight = HighlightStyle.define([
  { tag: tags.propertyName, color: colour('info') },
  { tag: tags.string, color: colour('ink') },
  { tag: [tags.number, tags.bool, tags.null], color: colour('success') },
  { tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket], color: colour('muted') },
])

const names = new MatchDecorator({
  regexp: /\{\{[^{}\n]*\}\}/g,
  decoration: Decoration.mark({ class: 'cm-placeholder-name' }),
})

const placeholderNames = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet
    constructor(view: EditorView) {
      this.decorations = names.createDeco(view)
    }
    update(update: ViewUpdate) {
      this.decorations = names.updateDeco(update, this.decorations)
    }
  },
  { decorations: (plugin) => plugin.decorations },
)

export const editorLook: Extension = [theme, syntaxHighlighting(highlight), placeholderNames]
