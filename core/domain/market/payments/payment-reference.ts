/** The text that a client writes on the transfer of a requested payment, so that it is recognised. */
export function paymentReference(id: string): string {
  return `LW-${id.replaceAll('-', '').slice(-8).toUpperCase()}`
}
