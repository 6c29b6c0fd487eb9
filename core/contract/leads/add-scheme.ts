/** A host name with a dot and a top-level domain of letters, and a path after it. */
const HOST = /^(?:\/\/)?((?:[\p{L}\p{N}_-]+\.)+\p{L}[\p{L}\p{N}-]+(?::\d{1,5})?(?:[/?#]\S*)?)$/u

/**
 * Completes an address as people type it, `example.com/quote`, with the missing `https://`. Anything else stays
 * unchanged.
 */
export function addScheme(address: string): string {
  const [, typed] = HOST.exec(address) ?? []
  return typed === undefined ? address : `https://${typed}`
}
