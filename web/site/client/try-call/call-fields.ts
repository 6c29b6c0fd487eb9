import { CONTROL_CLASS } from '#web/ui/form/control-class.ts'
import { drawElement } from '../draw-element.ts'
import type { TryCall, TryParameter } from '../../try-call.ts'

export interface CallFields {
  elements: readonly HTMLElement[]
  body: HTMLElement | undefined
  /** Returns the current URL and body. @throws SyntaxError if the body is no JSON */
  read: () => { url: string; body: string | undefined }
}

/** Creates a field for each parameter and one for the body. Empty ones are left out of the request. */
export function drawFields(call: TryCall, name: string): CallFields {
  const inputs = call.parameters.map((parameter) => ({ parameter, ...drawField(parameter, name) }))
  const body = call.body === undefined ? undefined : drawBody(call.body, name)
  return {
    elements: inputs.map(({ element }) => element),
    body: body?.element,
    read: () => {
      let path = call.path
      const query = new URLSearchParams()
      for (const { parameter, input } of inputs) {
        const value = input.value.trim()
        if (parameter.in === 'path')
          path = path.replace(`{${parameter.name}}`, () => encodeURIComponent(value))
        else if (value !== '') query.set(parameter.name, value)
      }
      const text = body?.input.value
      if (text !== undefined) JSON.parse(text)
      return { url: query.size === 0 ? path : `${path}?${query}`, body: text }
    },
  }
}

function drawField(parameter: TryParameter, name: string) {
  const { choices, example, required, says } = parameter
  const input =
    choices === undefined
      ? drawElement('input', `${CONTROL_CLASS} h-9 font-mono`)
      : drawElement('select', `${CONTROL_CLASS} h-9`, ...['', ...choices].map(drawOption))
  if (input instanceof HTMLInputElement) {
    input.placeholder = example ?? ''
    input.autocomplete = 'off'
    input.spellcheck = false
  }
  input.required = required
  return { input, element: drawLabelled(input, `${name}-${parameter.name}`, parameter.name, says, required) }
}

function drawOption(value: string): HTMLOptionElement {
  const option = drawElement('option', '', value === '' ? '(left out)' : value)
  option.value = value
  return option
}

function drawBody(example: unknown, name: string) {
  const input = drawElement('textarea', `${CONTROL_CLASS} resize-y py-2 font-mono`)
  const text = JSON.stringify(example, null, 2)
  input.value = text
  input.rows = Math.min(14, text.split('\n').length + 1)
  input.spellcheck = false
  return { input, element: drawLabelled(input, `${name}-body`, 'Body', 'JSON, as it is sent', true) }
}

function drawLabelled(
  input: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement,
  id: string,
  label: string,
  says: string,
  required: boolean,
) {
  input.id = id
  input.setAttribute('aria-describedby', `${id}-hint`)
  const words = drawElement('label', 'text-sm font-medium', label)
  words.htmlFor = id
  const hint = drawElement('p', 'text-xs text-muted', `${says}${required ? '. Required' : ''}`)
  hint.id = `${id}-hint`
  return drawElement('div', 'flex flex-col gap-1.5', words, input, hint)
}
