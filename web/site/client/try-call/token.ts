import { CONTROL_CLASS } from '#web/ui/form/control-class.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { drawElement } from '../draw-element.ts'
import { readSession } from '../read-session.ts'

/** Of all forms of this page, and of nothing else: it is written nowhere, and gone with the page. */
let token = ''
const inputs = new Set<HTMLInputElement>()
addEventListener('pagehide', () => setToken(''))

/** What a request carries; empty where none was given. */
export function readToken(): string {
  return token
}

function setToken(given: string, from?: HTMLInputElement) {
  token = given.trim().replace(/^bearer\s+/i, '')
  for (const input of inputs) if (input !== from) input.value = token
}

/** The field of the token, with where one comes from. */
export function drawToken(name: string): HTMLElement {
  // No password field: browsers offer to keep what is typed into one.
  const input = drawElement('input', `${CONTROL_CLASS} h-9 font-mono masked-input`)
  input.id = `${name}-token`
  input.type = 'text'
  input.autocomplete = 'off'
  input.spellcheck = false
  input.value = token
  input.setAttribute('aria-describedby', `${name}-token-hint`)
  input.addEventListener('input', () => setToken(input.value, input))
  inputs.add(input)
  const label = drawElement('label', 'text-sm font-medium', 'Access token')
  label.htmlFor = input.id
  const where = drawElement('a', '', 'Where one comes from')
  where.href = '/documentation/accounts#sign-in-from-a-program'
  const hint = drawElement(
    'p',
    'text-xs text-muted',
    'It stays in the memory of this page, is sent to this site alone, and is gone when you leave. ',
    where,
    '.',
  )
  hint.id = `${name}-token-hint`
  return drawElement('div', 'flex flex-col gap-1.5', label, input, hint, ...offerSession(input))
}

/** Who is signed in here has a token already. */
function offerSession(input: HTMLInputElement): HTMLElement[] {
  if (readSession() === undefined) return []
  const said = drawElement('span', 'text-xs text-muted')
  said.setAttribute('role', 'status')
  const button = drawElement('button', buttonClass('secondary', 'sm'), 'Use my session')
  button.type = 'button'
  button.addEventListener('click', () => {
    const found = readSession()?.token
    if (found === undefined) said.textContent = 'Your session has rested. Open the app once, and press again.'
    else {
      input.value = found
      setToken(found, input)
      said.textContent = 'Filled in.'
    }
  })
  return [drawElement('div', 'flex flex-wrap items-center gap-2', button, said)]
}
