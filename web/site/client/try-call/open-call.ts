import { buttonClass } from '#web/ui/action/button-class.ts'
import { drawElement } from '../draw-element.ts'
import type { TryCall } from '../../try-call.ts'
import { drawFields } from './call-fields.ts'
import { NoAnswerError, sendCall } from './send-call.ts'
import { showAnswer } from './show-answer.ts'
import { drawToken, readToken } from './token.ts'

let opened = 0

/** The form of one call with the answer below. A second press stops the request. */
export function openCall(place: HTMLElement, call: TryCall) {
  opened += 1
  const name = `try-${opened}`
  const fields = drawFields(call, name)
  const send = drawElement('button', buttonClass('primary'), 'Send request')
  send.type = 'submit'
  const said = drawElement('p', 'text-sm text-muted')
  said.setAttribute('role', 'status')
  const answer = drawElement('div', 'flex flex-col gap-3')
  const form = drawElement(
    'form',
    'flex flex-col gap-4',
    ...(call.takesToken ? [drawToken(name)] : []),
    drawElement('div', 'grid gap-4 empty:hidden sm:grid-cols-2', ...fields.elements),
    ...(fields.body === undefined ? [] : [fields.body]),
    ...(call.warning === undefined ? [] : [drawElement('p', 'text-sm', call.warning)]),
    drawElement('div', 'flex flex-wrap items-center gap-3', send, said),
  )
  form.autocomplete = 'off'
  let underWay: AbortController | undefined

  async function submit() {
    let asked: ReturnType<typeof fields.read>
    try {
      asked = fields.read()
    } catch (error) {
      say(`The body is no JSON: ${error instanceof Error ? error.message : ''}`)
      return
    }
    const stop = new AbortController()
    underWay = stop
    send.textContent = 'Stop'
    say('Waiting for the answer…')
    answer.replaceChildren()
    try {
      const got = await sendCall({ ...asked, method: call.method, token: readToken() }, stop.signal)
      showAnswer(answer, got)
      // Announced to screen readers only.
      say(`Answered with ${got.status} after ${got.ms} ms.`, 'sr-only')
    } catch (error) {
      say(error instanceof NoAnswerError ? error.message : 'The answer could not be shown.')
    } finally {
      underWay = undefined
      send.textContent = 'Send request'
    }
  }
  const say = (words: string, className = 'text-sm text-muted') => {
    said.className = className
    said.textContent = words
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (underWay === undefined) void submit()
    else underWay.abort()
  })
  place.replaceChildren(form, answer)
}
