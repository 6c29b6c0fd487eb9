import { StateEffect, StateField, type Extension, type Text } from '@codemirror/state'
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view'
import { findTemplateFaults, type TemplateFault } from '../find-template-faults.ts'

/**
 * Time without typing before a new fault is shown, so that nobody is told about a brace they are about to
 * type.
 */
const REST_MS = 400

interface Faults {
  all: readonly TemplateFault[]
  /** the faults on screen; always of the current text */
  shown: readonly TemplateFault[]
  marks: DecorationSet
}

const settle = StateEffect.define()

const faultField = StateField.define<Faults>({
  create: ({ doc }) => {
    const all = findTemplateFaults(doc.toString())
    return { all, shown: all, marks: markFaults(all, doc) }
  },
  update(value, { docChanged, state, effects }) {
    const settles = effects.some((effect) => effect.is(settle))
    if (!docChanged && !settles) return value
    const all = docChanged ? findTemplateFaults(state.doc.toString()) : value.all
    const shown = settles
      ? all
      : all.filter(({ message }) => value.shown.some((earlier) => earlier.message === message))
    return { all, shown, marks: markFaults(shown, state.doc) }
  },
  provide: (field) => EditorView.decorations.from(field, ({ marks }) => marks),
})

/** Underlines each fault and writes its sentence at the end of its line. */
export function showFaults(): Extension {
  let timer: ReturnType<typeof setTimeout> | undefined
  const settleNow = (view: EditorView) => {
    clearTimeout(timer)
    view.dispatch({ effects: settle.of(null) })
  }
  return [
    faultField,
    EditorView.updateListener.of(({ docChanged, view }) => {
      if (!docChanged) return
      clearTimeout(timer)
      timer = setTimeout(() => settleNow(view), REST_MS)
    }),
    EditorView.domEventHandlers({ blur: (_event, view) => settleNow(view) }),
  ]
}

/** Moves the caret to the first fault and scrolls to it. */
export function goToFirstFault(view: EditorView): void {
  const [first] = view.state.field(faultField).all
  view.dispatch({
    effects: settle.of(null),
    ...(first === undefined
      ? {}
      : {
          selection: { anchor: first.from },
          effects: [settle.of(null), EditorView.scrollIntoView(first.from, { y: 'center' })],
        }),
  })
}

class Sentence extends WidgetType {
  readonly fault: TemplateFault
  constructor(fault: TemplateFault) {
    super()
    this.fault = fault
  }

  override eq(other: Sentence): boolean {
    return other.fault.message === this.fault.message && other.fault.severity === this.fault.severity
  }

  override toDOM(): HTMLElement {
    const sentence = document.createElement('span')
    sentence.className = `cm-sentence cm-sentence-${this.fault.severity}`
    sentence.textContent = this.fault.message
    // Hidden from screen readers, which get it from the field and from the list beside the preview; here it
    // would be read as part of the template.
    sentence.setAttribute('aria-hidden', 'true')
    return sentence
  }
}

function markFaults(faults: readonly TemplateFault[], doc: Text): DecorationSet {
  const ranges = faults.flatMap((fault) => {
    const lineEnd = doc.lineAt(Math.min(fault.from, doc.length)).to
    const sentence = Decoration.widget({ widget: new Sentence(fault), side: 1 }).range(lineEnd)
    if (fault.to <= fault.from) return [sentence]
    return [
      Decoration.mark({ class: `cm-fault cm-fault-${fault.severity}` }).range(fault.from, fault.to),
      sentence,
    ]
  })
  return Decoration.set(ranges, true)
}
