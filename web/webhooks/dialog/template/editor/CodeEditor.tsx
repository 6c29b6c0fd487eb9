import clsx from 'clsx'
import type { EditorView } from '@codemirror/view'
import { useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react'
import { CONTROL_CLASS } from '#web/ui/form/control-class.ts'
import { useFieldAttributes, useFieldLabelId } from '#web/ui/form/field-context.ts'
import type { TemplateTextProps } from '../template-text.ts'
import { placeInsertion } from '../palette/place-insertion.ts'
import { createEditor, setAttributes, setText } from './create-editor.ts'
import { goToFirstFault } from './show-faults.ts'

/** The template editor with line numbers, colours, completion after `{{`, and faults in place. */
export function CodeEditor({ text, onChange, onBlur, handle }: TemplateTextProps) {
  const parent = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const labelId = useFieldLabelId()
  const field = useFieldAttributes()
  const written = Object.fromEntries(
    Object.entries({ 'aria-labelledby': labelId, ...field }).map(([name, value]) => [name, `${value}`]),
  )
  const key = JSON.stringify(written)
  const change = useEffectEvent(onChange)
  const blur = useEffectEvent(onBlur)
  const create = useEffectEvent((element: HTMLElement) =>
    createEditor({ parent: element, text, attributes: written, onChange: change, onBlur: blur }),
  )

  useEffect(() => {
    if (parent.current === null) return
    const made = create(parent.current)
    view.current = made
    return () => {
      view.current = null
      made.destroy()
    }
  }, [])
  useEffect(() => {
    if (view.current !== null) setAttributes(view.current, JSON.parse(key) as Record<string, string>)
  }, [key])
  useEffect(() => {
    if (view.current !== null) setText(view.current, text)
  }, [text])

  useImperativeHandle(handle, () => ({
    insert: (inner) => {
      const editor = view.current
      if (editor === null) return
      const { doc, selection } = editor.state
      const change = placeInsertion(doc.toString(), selection.main, inner)
      editor.dispatch({
        changes: change,
        selection: { anchor: change.from + change.insert.length },
        scrollIntoView: true,
        userEvent: 'input',
      })
      editor.focus()
    },
    focus: () => view.current?.focus(),
    showFault: () => {
      const editor = view.current
      if (editor === null) return
      editor.focus()
      goToFirstFault(editor)
    },
  }))

  return (
    <div
      ref={parent}
      className={clsx(
        CONTROL_CLASS,
        'overflow-clip px-0 has-focus-visible:border-accent has-focus-visible:outline-2 has-focus-visible:outline-accent',
        'has-aria-invalid:border-failure',
      )}
    />
  )
}
