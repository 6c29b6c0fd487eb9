import { reloadOnce } from '#web/app/reload-when-stale.ts'
import { drawElement } from '../draw-element.ts'
import type { TryCall } from '../../try-call.ts'
import { showFailure } from '../show-failure.ts'

/** Loads the form of a call when it is opened, so that readers load none of it. */
for (const call of document.querySelectorAll<HTMLDetailsElement>('details.try-call')) {
  call.addEventListener('toggle', () => void open(call), { once: true })
  // The reload below comes back to the call that was open.
  if (location.hash === `#${call.id}`) call.open = true
}

async function open(call: HTMLDetailsElement) {
  const place = drawElement('div', 'try-call-form')
  const waits = drawElement('p', 'text-sm text-muted', 'Loading the form…')
  waits.setAttribute('role', 'status')
  place.append(waits)
  call.append(place)
  try {
    const { openCall } = await import('../try-call/open-call.ts')
    openCall(place, JSON.parse(call.dataset['call'] ?? '') as TryCall)
  } catch (error) {
    // This page is older than the server's files; after a reload it opens the same call.
    history.replaceState(history.state, '', `#${call.id}`)
    if (reloadOnce()) waits.textContent = 'The site has changed since you opened this page. Loading it again…'
    else showFailure(place, error)
  }
}
