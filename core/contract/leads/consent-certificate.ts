/**
 * A TrustedForm certificate: this host, forty characters, and nothing behind them. The page shows a link for no other, because the address
 * came with the lead.
 */
const TRUSTEDFORM_CERTIFICATE = /^https:\/\/cert\.trustedform\.com\/[0-9a-f]{40}$/i

/** Nobody asks there whether there is one: only the form is judged. */
export function isTrustedFormCertificate(url: string): boolean {
  return TRUSTEDFORM_CERTIFICATE.test(url)
}
