const KEY = 'leadwire.reloaded-for'
let reloading = false
/** Number of loads in progress on a page that must not lose typed text. */
let careful = 0

/**
 * After a deployment an open tab asks for files that are gone. The page reloads to get the new files, only once for
 * each path, so it cannot loop.
 */
export function reloadWhenStale() {
  window.addEventListener('vite:preloadError', () => {
    if (careful === 0) reloadOnce()
  })
}

/** Reloads the page once for each path. @returns true if the page is about to reload */
export function reloadOnce(): boolean {
  if (!navigator.onLine || sessionStorage.getItem(KEY) === location.pathname) return false
  sessionStorage.setItem(KEY, location.pathname)
  reloading = true
  location.reload()
  return true
}

/** True if the page is about to reload, so that a failure needs no error screen. */
export function isReloading() {
  return reloading
}

/**
 * Loads a part of the app on a page where somebody may be typing. If it fails, the page reloads only if the
 * server has another build, and not after a network failure.
 * @param isNeeded false if the page works without the part; then it never reloads for it
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

/** True if the server now sends a page with another main script. */
async function isReplaced(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src
  try {
    const answer = await fetch(location.pathname, { cache: 'no-store' })
    return own !== undefined && answer.ok && !(await answer.text()).includes(new URL(own).pathname)
  } catch {
    return false
  }
}
