import type { Ref } from 'react'

/** What the label, the palette and a refused save do with the template's text, whatever shows it. */
export interface TemplateTextHandle {
  /** Puts a placeholder in at the caret, or a format into the one there, and the focus behind it. `inner` stands between its braces. */
  insert: (inner: string) => void
  /** Moves the focus to the text, at its caret. */
  focus: () => void
  /** The focus to the first fault, in sight. */
  showFault: () => void
}

export interface TemplateTextProps {
  text: string
  onChange: (text: string) => void
  onBlur: () => void
  handle: Ref<TemplateTextHandle>
}
