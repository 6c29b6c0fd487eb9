// The last two where a password manager fills the form in, and sends it.
const TOUCHES = ['focusin', 'pointerdown', 'keydown', 'click', 'input', 'submit'] as const

/** Tells of each touch of the page, by finger, mouse, keyboard or program, before what was touched hears of it. @returns stops it */
export function listenForTouch(touched: () => void): () => void {
  for (const name of TOUCHES) document.addEventListener(name, touched, { capture: true })
  return () => {
    for (const name of TOUCHES) document.removeEventListener(name, touched, { capture: true })
  }
}
