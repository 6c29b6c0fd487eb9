import type { Ref } from 'react'

/** Actions on the template's text that the label, the palette and a refused save use, for either field. */
export interface TemplateTextHandle {
  /**
   * Inserts a placeholder at the caret, or adds a format to the one there, and moves the caret behind it.
   * `inner` is the text between the braces.
   */
  insert: (inner: string) => void
  /** Moves the focus to the text, at its caret. */
  focus: () => void
  /** Moves the focus to the first fault and scrolls to it. */
  showFault: () => void
}

export interface TemplateTextProps {
  text: string
  onChange: (text: string) => void
  onBlur: () => void
  handle: Ref<TemplateTextHandle>
}
