import { ANSWER_FIELDS, LEAD_FIELDS, type AnswerField } from '#core/contract/leads/lead-fields.ts'
import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import { Facts } from './Facts.tsx'
import { formatDollars } from '../../format/money.ts'
import { words } from '../../format/words.ts'
import { Card } from '../../ui/show/Card.tsx'

export function LeadAnswers({ lead }: { lead: LeadDetail }) {
  return (
    <Card title="Answers">
      <Facts
        none="No questions were answered."
        facts={[
          ...ANSWER_FIELDS.map((name) => ({
            label: LEAD_FIELDS[name].answer,
            value: sayAnswer(name, lead[name]),
          })),
          ...Object.entries(lead.custom).map(([name, value]) => ({
            label: words(name),
            value: answerText(value),
          })),
        ]}
      />
    </Card>
  )
}

function sayAnswer(name: AnswerField, value: LeadDetail[AnswerField]) {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number' && LEAD_FIELDS[name].kind === 'amount') return formatDollars(value)
  return value && (name === 'lead_type' || name === 'gender') ? words(String(value)) : value
}

function answerText(value: unknown) {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}
