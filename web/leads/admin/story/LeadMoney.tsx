import type { LeadStory } from '#core/contract/leads/admin-lead.ts'
import type { EntryType } from '#core/contract/market/money/ledger.ts'
import { formatMoney, formatMovement } from '#web/format/money.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'

const WORDS: Partial<Readonly<Record<EntryType, string>>> = {
  lead_purchase: 'Bought by',
  lead_return: 'Returned, credited to',
  late_credit: 'Late, credited to',
}

/** Shows every entry of the ledger that this lead explains. */
export function LeadMoney({ story: { money } }: { story: LeadStory }) {
  return (
    <Card title="Money">
      {money.length === 0 && <p className="text-sm text-muted">No money has moved for it.</p>}
      <ul className="flex flex-col text-sm">
        {money.map(({ id, client, entry_type: type, amount, balance_after: balance, created_at: at }) => (
          <li key={id} className="flex min-h-9 items-center justify-between gap-4">
            <span className="min-w-0">
              {WORDS[type] ?? 'Credited to'} {client.name} <RelativeTime at={at} className="text-muted" />
            </span>
            <span className="text-right whitespace-nowrap tabular">
              {formatMovement(amount)}
              <span className="block text-xs text-muted">balance {formatMoney(balance)}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
