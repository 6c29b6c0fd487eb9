/**
 * Host and port of an endpoint: the part that may be shown to others than its owner. Its path and query may hold
 * secrets. For an endpoint that is a mail address, its domain.
 */
export function hostOf(endpointUrl: string): string {
  if (!URL.canParse(endpointUrl)) return ''
  const { protocol, host, pathname } = new URL(endpointUrl)
  return protocol === 'mailto:' ? pathname.slice(pathname.lastIndexOf('@') + 1) : host
}
