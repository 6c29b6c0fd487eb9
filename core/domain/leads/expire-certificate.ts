const DAY_MS = 24 * 3600 * 1000

/**
 * Days for which TrustedForm keeps a certificate of a submitted form, unless somebody has it retained (its own
 * documentation).
 */
const CERTIFICATE_DAYS = 90

/** A lead's facts about its certificate. Times are Dates or ISO text. */
export interface CertifiedLead {
  trustedform_cert_url: string | null
  /** as its source gave it; null if it did not */
  trustedform_expires_at: Date | string | null
  consent_at: Date | string | null
  created_at: Date | string
}

/**
 * When a lead's TrustedForm certificate ends, in ISO 8601: the time that its source gave, or {@link CERTIFICATE_DAYS}
 * after the consent or after the lead came, whichever is earlier. Null without a certificate.
 */
export function expireCertificate(lead: CertifiedLead): string | null {
  if (lead.trustedform_cert_url === null) return null
  if (lead.trustedform_expires_at !== null) return new Date(lead.trustedform_expires_at).toISOString()
  const came = new Date(lead.created_at).getTime()
  const begun = lead.consent_at === null ? came : Math.min(came, new Date(lead.consent_at).getTime())
  return new Date(begun + CERTIFICATE_DAYS * DAY_MS).toISOString()
}
