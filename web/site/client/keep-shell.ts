import { APP_PATHS } from '#core/contract/paths.ts'

/** The key under which web/session/auth-client.ts keeps the session. */
const SESSION_KEY = 'leadwire.auth'

/**
 * Shows a signed-in user the not-found page inside the app: the app replaces this page, at the same address.
 * Only they load it.
 */
export async function keepShell() {
  const isMissing = document.querySelector('#asked-path') !== null
  if (!isMissing || localStorage.getItem(SESSION_KEY) === null) return
  const answer = await fetch(APP_PATHS.dashboard).catch(() => null)
  if (answer?.ok !== true) return
  const app = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const root = document.createElement('div')
  root.id = 'root'
  const styles = [...document.querySelectorAll('link[rel=stylesheet]')]
  for (const { href } of app.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
    document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href }))
  // A parsed document's scripts never run, so each is created anew.
  for (const { src } of app.querySelectorAll<HTMLScriptElement>('script[type=module]'))
    document.head.append(Object.assign(document.createElement('script'), { type: 'module', src }))
  document.body.replaceChildren(root)
  document.body.className = app.body.className
  for (const style of styles) style.remove()
}
