import { useImperativeHandle, useRef } from 'react'
import { TextArea } from '#web/ui/form/TextArea.tsx'
import { findTemplateFaults } from './find-template-faults.ts'
import type { TemplateTextProps } from './template-text.ts'
import { placeInsertion } from './palette/place-insertion.ts'

/** The template in a plain text field, as an alternative to the editor. */
export function PlainTemplate({ text, onChange, onBlur, handle }: TemplateTextProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(handle, () => ({
    insert: (inner) => {
      const element = area.current
      if (element === null) return
      const { selectionStart: from, selectionEnd: to } = element
      const change = placeInsertion(element.value, { from, to }, inner)
      element.focus()
      element.setSelectionRange(change.from, change.to)
      // Deprecated without a successor: nothing else types into a text area and keeps Ctrl+Z working.
      // oxlint-disable-next-line typescript/no-deprecated
      document.execCommand('insertText', false, change.insert)
    },
    focus: () => area.current?.focus(),
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
