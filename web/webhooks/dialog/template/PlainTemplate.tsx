import { useImperativeHandle, useRef } from 'react'
import { TextArea } from '#web/ui/form/TextArea.tsx'
import { findTemplateFaults } from './find-template-faults.ts'
import type { TemplateTextProps } from './template-text.ts'
import { writePlaceholder } from './write-placeholder.ts'

/** The template in a plain text field, for whoever prefers one. */
export function PlainTemplate({ text, onChange, onBlur, handle }: TemplateTextProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(handle, () => ({
    insert: (name) => {
      const element = area.current
      if (element === null) return
      const token = writePlaceholder(element.value.slice(0, element.selectionStart), name)
      element.focus()
      // Deprecated without a successor: nothing else types into a text area and leaves Ctrl+Z working.
      // oxlint-disable-next-line typescript/no-deprecated
      document.execCommand('insertText', false, token)
    },
    showFault: () => {
      const [first] = findTemplateFaults(text)
      if (first !== undefined) area.current?.setSelectionRange(first.from, first.to)
      area.current?.focus()
    },
  }))
  return (
    <TextArea
      ref={area}
      value={text}
      onChange={({ target }) => onChange(target.value)}
      onBlur={onBlur}
      mono
      rows={12}
    />
  )
}
