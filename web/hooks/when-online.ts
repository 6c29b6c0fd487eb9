/**
 * Waits for a connection. Called before a screen's file is loaded, because a browser does not load a failed
 * file again before a reload.
 */
export async function whenOnline(): Promise<void> {
  if (navigator.onLine) return
  await new Promise((resolve) => {
    window.addEventListener('online', resolve, { once: true })
  })
}
