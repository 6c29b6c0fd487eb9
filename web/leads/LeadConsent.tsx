import type { LeadDetail } from '#core/contract/leads/lead.ts'
import { Facts } from './Facts.tsx'
import { Card } from '../ui/show/Card.tsx'
import { exactTime } from '../ui/show/format-time.ts'

export function LeadConsent({ lead }: { lead: LeadDetail }) {
  return (
    <Card title="Consent">
      <Facts
        none="No consent was recorded with this lead."
        facts={[
          { label: 'Given', value: lead.consent_given === null ? null : lead.consent_given ? 'Yes' : 'No' },
          { label: 'At', value: lead.consent_at && exactTime(lead.consent_at) },
          {
            label: 'Page',
            value: lead.consent_url && <EvidenceLink url={lead.consent_url} />,
            copy: lead.consent_url,
          },
          { label: 'Text shown', value: lead.consent_text, copy: lead.consent_text },
          {
            label: 'TrustedForm',
            value: lead.trustedform_cert_url && <EvidenceLink url={lead.trustedform_cert_url} />,
            copy: lead.trustedform_cert_url,
          },
          { label: 'Jornaya', value: lead.jornaya_leadid, copy: lead.jornaya_leadid },
        ]}
      />
    </Card>
  )
}

/** The address came with the lead: only a web address becomes a link, and it learns nothing of this page. */
function EvidenceLink({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return <span className="break-all">{url}</span>
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
