/** A name of a host with a dot and a top-level domain of letters, and what may stand behind it. */
const HOST = /^(?:\/\/)?((?:[\p{L}\p{N}_-]+\.)+\p{L}[\p{L}\p{N}-]+(?::\d{1,5})?(?:[/?#]\S*)?)$/u

/** An address as people type it, `example.com/quote`, with the `https://` that they leave out. Anything else stays as it is. */
export function addScheme(address: string): string {
  const [, typed] = HOST.exec(address) ?? []
  return typed === undefined ? address : `https://${typed}`
}
