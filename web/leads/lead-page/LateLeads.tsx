import type { LateLead, LatePartName, LateReason } from '#core/contract/market/late-lead.ts'
import { formatMoney } from '../../format/money.ts'
import { Badge } from '../../ui/show/Badge.tsx'
import { Card } from '../../ui/show/Card.tsx'
import { RelativeTime } from '../../ui/show/RelativeTime.tsx'

const PART_WORDS: Readonly<Record<LatePartName, string>> = {
  not_for_sale: 'Not for sale yet, or had by another client',
  sale: 'From its receipt to its sale',
  no_order: 'No order would take it',
  planning: 'From its sale until its delivery was planned',
  put_off: 'Sending hours, a webhook that was off, a pause, or an endpoint that did not answer',
  own_requests: 'Your own requests kept it back',
  sending: 'Waiting for its first attempt',
}

const REASON_WORDS: Readonly<Record<LateReason, string>> = {
  off: 'Late leads of this type are not credited.',
  no_price: 'It cost nothing.',
  test: 'It is a test lead.',
  returned: 'It was returned before.',
  account_erased: 'The account was erased.',
  daily_limit: 'The credit is due, and waits for the daily limit. The oldest credits go first.',
  times_out_of_order: 'Its times are in no possible order. An administrator decides.',
  clock_jumped: 'The clock jumped meanwhile. An administrator decides.',
  too_long: 'It took impossibly long. An administrator decides.',
  dismissed: 'An administrator decided against a credit.',
}

const milliseconds = (ms: number) => `${ms.toLocaleString('en-US')} ms`

/** The stations of a lead that came later than promised, and its credit; nothing for others. */
export function LateLeads({ late }: { late: readonly LateLead[] }) {
  return late.map((one) => (
    <Card key={one.sold_at} title="Came late" actions={<CreditBadge late={one} />}>
      <p className="text-sm">
        Our part of its way took {milliseconds(one.ours_ms)}. We promise at most 5,000 ms.{' '}
        {one.credited_at !== null && (
          <>
            {formatMoney(one.amount)} was credited <RelativeTime at={one.credited_at} />.
          </>
        )}
        {one.reason !== null && REASON_WORDS[one.reason]}
      </p>
      <table className="mt-3 w-full text-sm">
        <caption className="sr-only">The parts of its way</caption>
        <thead className="text-left text-muted">
          <tr>
            <th scope="col" className="py-1 font-normal">
              Part
            </th>
            <th scope="col" className="py-1 text-right font-normal">
              Time
            </th>
            <th scope="col" className="py-1 pl-4 text-right font-normal">
              Counts
            </th>
          </tr>
        </thead>
        <tbody>
          {one.parts.map(({ part, ms, is_ours: isOurs }) => (
            <tr key={part} className="border-t border-line">
              <th scope="row" className="py-1.5 text-left font-normal">
                {PART_WORDS[part]}
              </th>
              <td className="py-1.5 pl-4 text-right whitespace-nowrap tabular">{milliseconds(ms)}</td>
              <td className="py-1.5 pl-4 text-right whitespace-nowrap">{isOurs ? 'Yes' : 'Left out'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-3 text-xs text-muted">
        <span className="block">
          Received <RelativeTime at={one.received_at} exact />
        </span>
        <span className="block">
          Sold <RelativeTime at={one.sold_at} exact />
        </span>
        <span className="block">
          First attempt <RelativeTime at={one.begun_at} exact />
        </span>
      </p>
    </Card>
  ))
}

function CreditBadge({ late: { credit, amount } }: { late: LateLead }) {
  if (credit === 'credited') return <Badge tone="success">{formatMoney(amount)} credited</Badge>
  if (credit === 'waiting') return <Badge tone="waiting">Credit waits</Badge>
  return credit === 'unclear' ? <Badge tone="waiting">To be decided</Badge> : <Badge>No credit</Badge>
}
