/** Builds a path of the REST API (docs/contract.md §4) and escapes each part: `apiPath('leads', id)`. */
export function apiPath(...parts: string[]): string {
  return `/api/v1/${parts.map(encodeURIComponent).join('/')}`
}

/** Builds the path of a server function (docs/product.md §7). */
export function functionPath(name: string): string {
  return `/functions/v1/${encodeURIComponent(name)}`
}

/** Adds parameters to a path as its query. Empty values are left out. */
export function withQuery(path: string, parameters: Readonly<Record<string, string>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== '')
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}
