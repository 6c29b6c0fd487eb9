import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import { Facts } from './Facts.tsx'
import { formatDollars } from '../format/money.ts'
import { words } from '../format/words.ts'
import { Card } from '../ui/show/Card.tsx'

export function LeadAnswers({ lead }: { lead: LeadDetail }) {
  return (
    <Card title="Answers">
      <Facts
        none="No questions were answered."
        facts={[
          { label: 'Lead type', value: words(lead.lead_type) },
          { label: 'Date of birth', value: lead.date_of_birth },
          { label: 'Age', value: lead.age },
          { label: 'Gender', value: lead.gender && words(lead.gender) },
          { label: 'Tobacco', value: lead.tobacco === null ? null : lead.tobacco ? 'Yes' : 'No' },
          {
            label: 'Coverage',
            value: lead.coverage_amount === null ? null : formatDollars(lead.coverage_amount),
          },
          { label: 'Beneficiary', value: lead.beneficiary_name },
          { label: 'Comments', value: lead.comments },
          { label: 'Source', value: lead.source },
          { label: 'Campaign', value: lead.campaign },
          ...Object.entries(lead.custom).map(([name, value]) => ({
            label: words(name),
            value: answerText(value),
          })),
        ]}
      />
    </Card>
  )
}

function answerText(value: unknown) {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}
