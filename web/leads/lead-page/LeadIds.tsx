import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import { Facts } from './Facts.tsx'

/** The ids by which programs name the lead: ours, its sender's, and those of the receivers. */
export function LeadIds({ lead }: { lead: LeadDetail }) {
  const received = new Map(
    lead.deliveries
      .filter((attempt) => attempt.receiver_id !== null)
      .map(({ webhook_name: name, receiver_id: id }) => [name ?? 'Deleted webhook', id]),
  )
  const ids = [
    { label: 'Lead id', id: lead.id },
    { label: 'Sender’s id', id: lead.external_id },
    ...[...received].map(([name, id]) => ({ label: `Id at ${name}`, id })),
  ]
  return (
    <Facts
      none="No ids are known."
      facts={ids.map(({ label, id }) => ({
        label,
        value: id && <code className="font-mono text-xs break-all">{id}</code>,
        copy: id,
      }))}
    />
  )
}
