import { takeNotice } from '#web/app/kept-notice.ts'

const SHOWN_MS = 6000

/** Shows the notice that the app left for the public site: "Signed out successfully". */
export function showNotice() {
  const text = takeNotice()
  if (text === null) return
  const region = document.createElement('div')
  region.setAttribute('role', 'status')
  region.className = 'site-notice'
  document.body.append(region)
  const notice = document.createElement('div')
  notice.setAttribute('role', 'group')
  const words = document.createElement('p')
  words.textContent = text
  notice.append(words)
  // Screen readers announce text only in a status that already exists.
  requestAnimationFrame(() => region.append(notice))
  setTimeout(() => region.remove(), SHOWN_MS)
}
