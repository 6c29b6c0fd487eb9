import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import { formatMoney } from '../../format/money.ts'
import { words } from '../../format/words.ts'
import { Card } from '../../ui/show/Card.tsx'
import { RelativeTime } from '../../ui/show/RelativeTime.tsx'

export interface LeadOutcomesProps extends Pick<LeadDetail, 'outcomes'> {
  /** for a reader who is not the client */
  title?: string
}

/** The outcomes of the lead that the client's CRM reported; nothing before its first report. */
export function LeadOutcomes({ outcomes, title = 'Outcomes from your CRM' }: LeadOutcomesProps) {
  if (outcomes.length === 0) return null
  return (
    <Card title={title}>
      <ul className="flex flex-col divide-y divide-line">
        {outcomes.map(({ id, outcome, amount, note, webhook_name: webhook, created_at: at }) => (
          <li key={id} className="flex flex-col gap-1 py-2 first:pt-0 last:pb-0">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="font-medium">
                {words(outcome)}
                {amount !== null && <span className="tabular-nums">, {formatMoney(amount.toFixed(2))}</span>}
              </span>
              <RelativeTime at={at} className="text-muted" />
            </div>
            {note !== null && <p className="break-words whitespace-pre-wrap">{note}</p>}
            <p className="text-sm break-words text-muted">{webhook ?? 'A deleted webhook'}</p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
