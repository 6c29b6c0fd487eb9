/** Each file that has come or is on its way, by its address. One that did not come is not in it. */
const brought = new Map<string, Promise<void>>()

/**
 * Every `import()` of the build (scripts/app-build/bring-parts.ts): first the part's files are fetched, and only when all have come is the
 * part imported, from the browser's cache. A browser may keep a failed import until the page is loaded anew (the module map of the HTML
 * standard; Chromium up to 150), but never a failed fetch: so whoever asks again gets it.
 * @param files of the part and all that it imports, relative to where the app lies
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
  // What the page itself names is loaded by now, or being loaded.
  if (document.querySelector(`link[href="${address}"], script[src="${address}"]`) !== null)
    return Promise.resolve()
  const bringing = fetchWhole(address)
  brought.set(address, bringing)
  bringing.catch(() => brought.delete(address))
  return bringing
}

async function fetchWhole(address: string): Promise<void> {
  const answer = await fetch(address)
  // Whoever stands between may answer with a page of his own.
  if (!answer.ok || answer.headers.get('content-type')?.includes('javascript') !== true)
    throw new Error(`${address} did not come: ${answer.status}`)
  await answer.arrayBuffer()
}
