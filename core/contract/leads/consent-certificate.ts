/**
 * A TrustedForm certificate: this host and forty characters, and nothing after them. The page links to no other
 * address, because the address came with the lead.
 */
const TRUSTEDFORM_CERTIFICATE = /^https:\/\/cert\.trustedform\.com\/[0-9a-f]{40}$/i

/** Only the form is checked; nobody asks TrustedForm whether the certificate exists. */
export function isTrustedFormCertificate(url: string): boolean {
  return TRUSTEDFORM_CERTIFICATE.test(url)
}
