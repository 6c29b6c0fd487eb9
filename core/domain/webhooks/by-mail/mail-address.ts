/** One plain address. A query could add recipients or a body (RFC 6068 §2), and an escape could hide one; braces are placeholders. */
const MAILTO = /^mailto:([^\s@?&%#,;:<>"(){}[\]\\/]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)$/i

/** Whether an endpoint is meant to be an address for mail, well-formed or not. */
export function isMailUrl(endpointUrl: string): boolean {
  return /^mailto:/i.test(endpointUrl)
}

/** The address of an endpoint that gets its leads by mail, in lower case; undefined for any other endpoint. */
export function mailAddressOf(endpointUrl: string): string | undefined {
  return MAILTO.exec(endpointUrl)?.[1]?.toLowerCase()
}
