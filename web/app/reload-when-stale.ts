const KEY = 'leadwire.reloaded-for'
let reloading = false
/** Parts that are fetched by a page that must not lose what is typed there. */
let careful = 0

/** After a deployment an open tab asks for files that are gone: one reload brings the new ones, never a loop. */
export function reloadWhenStale() {
  window.addEventListener('vite:preloadError', () => {
    if (careful === 0) reloadOnce()
  })
}

/** Loads the page anew, where that has not been tried for it. @returns whether it is about to be gone */
export function reloadOnce(): boolean {
  if (!navigator.onLine || sessionStorage.getItem(KEY) === location.pathname) return false
  sessionStorage.setItem(KEY, location.pathname)
  reloading = true
  location.reload()
  return true
}

/** The page is about to be gone, so nothing that fails now is worth an error screen. */
export function isReloading() {
  return reloading
}

/**
 * Fetches a part of the app for a page on which somebody may be typing: where it does not come the page is loaded anew only if the
 * server has another build by now, and not for a bad line.
 * @param isNeeded false where the page does without it, and is never loaded anew for it
 */
export async function fetchPart<Part>(load: () => Promise<Part>, isNeeded = true): Promise<Part> {
  careful += 1
  try {
    return await load()
  } catch (cause) {
    if (isNeeded && (await isReplaced())) reloadOnce()
    throw cause
  } finally {
    careful -= 1
  }
}

/** Whether the server answers with a page that begins with another script than this one. */
async function isReplaced(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src
  try {
    const answer = await fetch(location.pathname, { cache: 'no-store' })
    return own !== undefined && answer.ok && !(await answer.text()).includes(new URL(own).pathname)
  } catch {
    return false
  }
}
