/** A path of the REST API (docs/contract.md §4) from its parts, each escaped: `apiPath('leads', id)`. */
export function apiPath(...parts: string[]): string {
  return `/api/v1/${parts.map(encodeURIComponent).join('/')}`
}

/** A server function's path (docs/product.md §7). */
export function functionPath(name: string): string {
  return `/functions/v1/${encodeURIComponent(name)}`
}

/** Adds what is given to a path as its query; an empty text narrows nothing and is left out. */
export function withQuery(path: string, parameters: Readonly<Record<string, string>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== '')
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}
