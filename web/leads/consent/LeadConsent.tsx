import { isTrustedFormCertificate } from '#core/contract/leads/consent-certificate.ts'
import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import { exactTime } from '#web/ui/show/format-time.ts'
import { useNow } from '#web/ui/use-now.ts'
import { Facts } from '../lead-page/Facts.tsx'
import { sayExpiry } from './say-expiry.ts'

/** Shows the evidence of the person's consent, as it was received. */
export function LeadConsent({ lead }: { lead: LeadDetail }) {
  const now = useNow()
  const { consent_url: page, trustedform_cert_url: certificate, trustedform_expires_at: expires } = lead
  return (
    <Facts
      none="No consent was recorded with this lead."
      facts={[
        { label: 'Given', value: lead.consent_given === null ? null : lead.consent_given ? 'Yes' : 'No' },
        { label: 'At', value: lead.consent_at && exactTime(lead.consent_at) },
        {
          label: 'Page',
          value: page && <EvidenceLink url={page} isSafe={/^https?:\/\//i.test(page)} />,
          copy: page,
        },
        { label: 'Text shown', value: lead.consent_text, copy: lead.consent_text },
        { label: 'IP address', value: lead.consent_ip, copy: lead.consent_ip },
        { label: 'Browser', value: lead.consent_user_agent },
        {
          label: 'TrustedForm',
          value: certificate && (
            <EvidenceLink url={certificate} isSafe={isTrustedFormCertificate(certificate)} />
          ),
          copy: certificate,
        },
        { label: 'Certificate', value: expires && sayExpiry(expires, now) },
        { label: 'Jornaya', value: lead.jornaya_leadid, copy: lead.jornaya_leadid },
      ]}
    />
  )
}

/** The URL came with the lead, so only a safe one becomes a link. The link sends no referrer. */
function EvidenceLink({ url, isSafe }: { url: string; isSafe: boolean }) {
  if (!isSafe) return <span className="break-all">{url}</span>
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer noopener"
      className="rounded-sm break-all text-accent hover:underline"
    >
      {url}
    </a>
  )
}
