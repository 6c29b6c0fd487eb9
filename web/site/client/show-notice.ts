import { takeNotice } from '#web/app/kept-notice.ts'

const SHOWN_MS = 6000

/** What the app had to say when it left for the public site: "Signed out successfully". */
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
  // A status that is there already when it gets its text is announced.
  requestAnimationFrame(() => region.append(notice))
  setTimeout(() => region.remove(), SHOWN_MS)
}
