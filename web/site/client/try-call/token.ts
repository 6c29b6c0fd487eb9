import { CONTROL_CLASS } from '#web/ui/form/control-class.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { drawElement } from '../draw-element.ts'
import { readSession } from '../read-session.ts'

/** The token of all forms on this page. It is stored nowhere and gone with the page. */
let token = ''
const inputs = new Set<HTMLInputElement>()
addEventListener('pagehide', () => setToken(''))

/** Returns the typed token; empty without one. */
export function readToken(): string {
  return token
}

function setToken(given: string, from?: HTMLInputElement) {
  token = given.trim().replace(/^bearer\s+/i, '')
  for (const input of inputs) if (input !== from) input.value = token
}

/** Creates the field for the token, with a hint where to get one. */
export function drawToken(name: string): HTMLElement {
  // Not a password field, because browsers offer to save what is typed into one.
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

/** Offers the signed-in user their own token. */
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
