const KEY = 'leadwire.reloaded-for'

/** After a deployment an open tab asks for files that are gone: one reload brings the new ones, never a loop. */
export function reloadWhenStale() {
  window.addEventListener('vite:preloadError', (event) => {
    if (!navigator.onLine || sessionStorage.getItem(KEY) === location.pathname) return
    sessionStorage.setItem(KEY, location.pathname)
    event.preventDefault()
    location.reload()
  })
}
