const SHOWN_MS = 1600

/**
 * Adds a copy button to each block of code. A script adds it, so that there is no dead button without
 * JavaScript.
 */
export function addCopyButtons() {
  for (const block of document.querySelectorAll<HTMLElement>('.prose pre')) addCopyButton(block)
}

/** Puts a block of code into a frame with its copy button. */
export function addCopyButton(block: HTMLElement) {
  const frame = document.createElement('div')
  frame.className = 'code-frame'
  block.replaceWith(frame)
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', 'Copy code')
  const said = document.createElement('span')
  said.setAttribute('role', 'status')
  said.className = 'sr-only'
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(block.textContent ?? '').then(
      () => say('Copied'),
      () => say('Select and copy by hand'),
    )
  })
  const say = (text: string) => {
    button.textContent = text
    said.textContent = text
    setTimeout(() => {
      button.textContent = 'Copy'
      said.textContent = ''
    }, SHOWN_MS)
  }
  frame.append(block, button, said)
}
