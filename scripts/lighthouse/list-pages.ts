/** A path without a page. */
export const NOWHERE = '/nothing-is-here'

/**
 * The paths of every page in the sitemap, of the sign-in screen, and of the not-found page.
 * @param url of a running Leadwire
 */
export async function listPages(url: string): Promise<string[]> {
  const response = await fetch(new URL('/sitemap.xml', url))
  if (!response.ok) throw new Error(`${url} has no sitemap (${response.status}): is Leadwire running there?`)
  const named = [...(await response.text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, address = '']) => new URL(address).pathname,
  )
  return ['/auth', NOWHERE, ...named]
}

/** @param part for example `2/8`: the second eighth */
export function takePart<Item>(items: readonly Item[], part: string): Item[] {
  const [number = 1, of = 1] = part.split('/').map(Number)
  const size = Math.ceil(items.length / of)
  return items.slice((number - 1) * size, number * size)
}
