/**
 * Waits for a connection. Before a file of a screen is asked for: one that could not be fetched is not asked for again before a reload.
 */
export async function whenOnline(): Promise<void> {
  if (navigator.onLine) return
  await new Promise((resolve) => {
    window.addEventListener('online', resolve, { once: true })
  })
}
