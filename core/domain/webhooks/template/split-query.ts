/** Everything before the first question mark is fixed: scheme, user info, host, port and path. */
export function splitQuery(url: string): { fixed: string; query: string } {
  const at = url.indexOf('?')
  return at === -1 ? { fixed: url, query: '' } : { fixed: url.slice(0, at), query: url.slice(at) }
}
