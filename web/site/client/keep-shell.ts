import { APP_PATHS } from '#core/contract/paths.ts'

/** As web/session/auth-client.ts keeps the session. */
const SESSION_KEY = 'leadwire.auth'

/**
 * Who is signed in and asks for what is not there keeps the app around the not-found page: the app takes this page's place, at this
 * address. It is fetched for them alone.
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
  // A script of a parsed document never runs: each is made anew.
  for (const { src } of app.querySelectorAll<HTMLScriptElement>('script[type=module]'))
    document.head.append(Object.assign(document.createElement('script'), { type: 'module', src }))
  document.body.replaceChildren(root)
  document.body.className = app.body.className
  for (const style of styles) style.remove()
}
