import { autocompletion, closeCompletion, completionKeymap } from '@codemirror/autocomplete'
import { history, historyKeymap, standardKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching } from '@codemirror/language'
import { Compartment, EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { adoptStyles } from './adopt-styles.ts'
import { completeFormat } from './complete-format.ts'
import { completeIf } from './complete-if.ts'
import { completePlaceholder } from './complete-placeholder.ts'
import { editorLook } from './editor-look.ts'
import { followEditor } from './follow-editor.ts'
import { showFaults } from './show-faults.ts'

export interface CreateEditorOptions {
  parent: HTMLElement
  text: string
  attributes: Record<string, string>
  onChange: (text: string) => void
  onBlur: () => void
}

const attributes = new Compartment()

adoptStyles()

/**
 * Creates the editor. Tab is not bound, so it leaves the editor like any field. Ctrl+Enter belongs to the
 * form.
 */
export function createEditor(options: CreateEditorOptions): EditorView {
  return new EditorView({
    parent: options.parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        bracketMatching(),
        json(),
        autocompletion({
          override: [completePlaceholder, completeFormat, completeIf],
          icons: false,
          maxRenderedOptions: 80,
          // No delay is needed: the list opens only after two braces, where nobody presses Enter for a line
          // break.
          interactionDelay: 0,
        }),
        // Escape closes the list and not the dialog around it.
        keymap.of([{ key: 'Escape', run: closeCompletion, stopPropagation: true }]),
        keymap.of([...completionKeymap, ...standardKeymap, ...historyKeymap]),
        followEditor,
        showFaults(),
        editorLook,
        EditorView.lineWrapping,
        attributes.of(EditorView.contentAttributes.of(options.attributes)),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) options.onChange(state.doc.toString())
        }),
        EditorView.domEventHandlers({ blur: options.onBlur, beforeinput: replaceSelection }),
      ],
    }),
  })
}

/**
 * Replaces a selection by a transaction. Chromium's own replacement would copy the look of the old text into
 * a style attribute, which the content security policy refuses.
 */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { inputType, data, isComposing } = event
  // Read from the DOM, because the editor may not know a selection made just now, and Chromium's event does
  // not contain it.
  const selection = view.dom.ownerDocument.getSelection()
  const range = selection === null || selection.rangeCount === 0 ? undefined : selection.getRangeAt(0)
  if (inputType !== 'insertText' || data === null || isComposing) return false
  if (range === undefined || range.collapsed) return false
  event.preventDefault()
  const from = view.posAtDOM(range.startContainer, range.startOffset)
  const to = view.posAtDOM(range.endContainer, range.endOffset)
  view.dispatch({
    changes: { from, to, insert: data },
    selection: { anchor: from + data.length },
    userEvent: 'input.type',
    scrollIntoView: true,
  })
  return true
}

export function setAttributes(view: EditorView, next: Record<string, string>): void {
  view.dispatch({ effects: attributes.reconfigure(EditorView.contentAttributes.of(next)) })
}

/** Sets the text from outside, for a preset or a corrected name. It is one step for Ctrl+Z. */
export function setText(view: EditorView, text: string): void {
  const { doc } = view.state
  if (doc.toString() === text) return
  view.dispatch({ changes: { from: 0, to: doc.length, insert: text } })
}
