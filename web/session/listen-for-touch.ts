// The last two cover a password manager that fills the form in and sends it.
const TOUCHES = ['focusin', 'pointerdown', 'keydown', 'click', 'input', 'submit'] as const

/**
 * Calls back at each touch of the page by finger, mouse, keyboard or program, before the touched element.
 * @returns a function that stops it
 */
export function listenForTouch(touched: () => void): () => void {
  for (const name of TOUCHES) document.addEventListener(name, touched, { capture: true })
  return () => {
    for (const name of TOUCHES) document.removeEventListener(name, touched, { capture: true })
  }
}
