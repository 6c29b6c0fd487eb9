import { reportFailure } from '#web/app/report-failure.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { drawElement } from './draw-element.ts'

/** Shows the failure of a part of the page in the words of docs/product.md §2; the rest keeps working. */
export function showFailure(place: HTMLElement, error: unknown) {
  const again = drawElement('button', buttonClass('primary'), 'Try Again')
  again.type = 'button'
  again.addEventListener('click', () => location.reload())
  const home = drawElement('a', buttonClass(), 'Go Home')
  home.href = '/'
  const box = drawElement(
    'div',
    'part-failure',
    drawElement('h3', '', 'Something went wrong'),
    drawElement(
      'p',
      'text-sm text-muted',
      'This section encountered an error. You can try again or continue using other parts of the app.',
    ),
    drawElement('div', 'flex flex-wrap gap-2', again, home),
    drawElement(
      'p',
      'text-xs text-faint',
      'Error id ',
      drawElement('code', '', reportFailure('section', error)),
    ),
  )
  box.setAttribute('role', 'alert')
  place.replaceChildren(box)
}
