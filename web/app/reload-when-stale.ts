const KEY = 'leadwire.reloaded-for'
let reloading = false

/** After a deployment an open tab asks for files that are gone: one reload brings the new ones, never a loop. */
export function reloadWhenStale() {
  window.addEventListener('vite:preloadError', () => {
    if (!navigator.onLine || sessionStorage.getItem(KEY) === location.pathname) return
    sessionStorage.setItem(KEY, location.pathname)
    reloading = true
    location.reload()
  })
}

/** The page is about to be gone, so nothing that fails now is worth an error screen. */
export function isReloading() {
  return reloading
}
