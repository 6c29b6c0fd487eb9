/** Files that are loaded or on their way, by address. A failed one is removed. */
const brought = new Map<string, Promise<void>>()

/**
 * Runs for every `import()` of the build (scripts/app-build/bring-parts.ts): it fetches the part's files and imports
 * the part only when all have arrived. A browser may keep a failed import until a reload (the module map of the HTML
 * standard; Chromium up to 150). It never keeps a failed fetch, so a second try works.
 * @param files of the part and all that it imports, relative to the app's folder
 */
export async function bringPart<Part>(
  importPart: () => Promise<Part>,
  files: readonly string[] = [],
): Promise<Part> {
  try {
    await Promise.all(files.map((file) => bring(`${import.meta.env.BASE_URL}${file}`)))
    return await importPart()
  } catch (cause) {
    window.dispatchEvent(new Event('vite:preloadError'))
    throw cause
  }
}

function bring(address: string): Promise<void> {
  const coming = brought.get(address)
  if (coming !== undefined) return coming
  // The page itself names this file, so it is already loaded or on its way.
  if (document.querySelector(`link[href="${address}"], script[src="${address}"]`) !== null)
    return Promise.resolve()
  const bringing = fetchWhole(address)
  brought.set(address, bringing)
  bringing.catch(() => brought.delete(address))
  return bringing
}

async function fetchWhole(address: string): Promise<void> {
  const answer = await fetch(address)
  // A proxy may answer with a page of its own.
  if (!answer.ok || answer.headers.get('content-type')?.includes('javascript') !== true)
    throw new Error(`${address} did not come: ${answer.status}`)
  await answer.arrayBuffer()
}
