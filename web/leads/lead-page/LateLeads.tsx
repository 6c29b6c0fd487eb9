import clsx from 'clsx'
import { Link } from 'react-router-dom'
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

export interface LateLeadsProps {
  late: readonly LateLead[]
  /** words of parts for a reader who is not the client */
  labels?: Partial<Readonly<Record<LatePartName, string>>>
  /** the screen where the reader decides about unclear ones, if the reader may */
  decidePath?: string
}

/** The stations of a lead that came later than promised, and its credit; nothing for others. */
export function LateLeads({ late, labels = {}, decidePath }: LateLeadsProps) {
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
        {one.credit === 'unclear' && decidePath !== undefined && (
          <>
            {' '}
            <Link to={decidePath} className="underline">
              Decide
            </Link>
          </>
        )}
      </p>
      <ul
        aria-label="The parts of its way"
        className="mt-3 divide-y divide-line border-y border-line text-sm"
      >
        {one.parts.map(({ part, ms, is_ours: isOurs }) => (
          <li key={part} className="flex flex-wrap justify-between gap-x-4 py-1.5">
            <span className="min-w-0 break-words">{labels[part] ?? PART_WORDS[part]}</span>
            <span className={clsx('text-right tabular', !isOurs && 'text-muted')}>
              {milliseconds(ms)}, {isOurs ? 'counts' : 'left out'}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-xs text-muted">
        <span className="block">
          Received <RelativeTime at={one.received_at} exact className="whitespace-normal!" />
        </span>
        <span className="block">
          Sold <RelativeTime at={one.sold_at} exact className="whitespace-normal!" />
        </span>
        <span className="block">
          First attempt <RelativeTime at={one.begun_at} exact className="whitespace-normal!" />
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
