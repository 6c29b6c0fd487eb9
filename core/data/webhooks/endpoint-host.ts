/**
 * Host and port of an endpoint: the part that may be shown to others than its owner. Its path and query may hold
 * secrets.
 */
export function hostOf(endpointUrl: string): string {
  return URL.canParse(endpointUrl) ? new URL(endpointUrl).host : ''
}
