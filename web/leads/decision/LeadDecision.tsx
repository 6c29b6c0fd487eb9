import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import type { LeadDecision as Decision } from '#core/contract/market/decision.ts'
import { labelReturnReason } from '#core/domain/market/describe-return.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { formatMoney } from '#web/format/money.ts'
import { adminItemPath } from '#web/paths.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { decisionQuery } from './decision-query.ts'
import { wordRefusal } from './word-refusal.ts'

const TITLE = 'Why it went where it went'

/** Shows administrators who got a lead, and why the other orders did not. */
export function LeadDecision({ leadId }: { leadId: string }) {
  const decision = useQuery(decisionQuery(leadId))
  if (decision.isPending) return <CardSkeleton />
  if (decision.isError) {
    return (
      <LoadFailure
        title="The decision about this lead could not be loaded."
        error={decision.error}
        onRetry={() => void decision.refetch()}
      />
    )
  }
  return (
    <Card title={TITLE} aria-label={TITLE}>
      {decision.data === null ? (
        <p className="text-sm text-muted">
          It was not offered on the market: its source named the client, or it is a test.
        </p>
      ) : (
        <Told decision={decision.data} />
      )}
    </Card>
  )
}

function Told({ decision }: { decision: Decision }) {
  const others = Object.entries(decision.refused).toSorted(([, a], [, b]) => b - a)
  return (
    <div className="flex flex-col gap-4 text-sm">
      <p>
        <Outcome decision={decision} />{' '}
        <span className="text-muted">
          Decided <RelativeTime at={decision.decided_at} />
          {decision.tries > 1 && `, at try ${decision.tries}`}
          {decision.held_until !== null && (
            <>
              ; offered again until <RelativeTime exact at={decision.held_until} />
            </>
          )}
          .
        </span>
      </p>
      {decision.returns.map(({ client_user_id, client_name, order_name, price, reason, at }) => (
        <p key={client_user_id}>
          {`Taken back from ${nameOf(client_name)} (order “${order_name ?? 'deleted'}”) with ${formatMoney(price)}: `}
          {labelReturnReason(reason).toLowerCase()}, <RelativeTime at={at} />.
        </p>
      ))}
      {others.length > 0 && (
        <section>
          <h3 className="mb-1 font-semibold">Orders that did not get it</h3>
          <ul>
            {others.map(([reason, count]) => (
              <li key={reason} className="flex justify-between gap-4 py-0.5">
                <span>{wordRefusal(reason, decision.windows)}</span>
                <span className="text-muted tabular">{count.toLocaleString('en-US')}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {decision.refusals.length > 0 && (
        <ul
          aria-label="Refusals one by one"
          tabIndex={0}
          className="max-h-64 divide-y divide-line overflow-y-auto border-t border-line"
        >
          {decision.refusals.map(({ order_id, order_name, client_name, reason }) => (
            <li key={order_id} className="flex flex-wrap justify-between gap-x-4 py-1.5">
              <span className="min-w-0 break-words">
                {order_name ?? 'A deleted order'}
                <span className="text-muted">{` · ${nameOf(client_name)}`}</span>
              </span>
              <span className="text-muted">{wordRefusal(reason, decision.windows)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Outcome({ decision }: { decision: Decision }) {
  switch (decision.outcome) {
    case 'assigned':
      return (
        <>
          {`Sold to ${nameOf(decision.client_name)} by the order “${decision.order_name ?? 'deleted'}”`}
          {decision.price !== null && ` for ${formatMoney(decision.price)}`}.
        </>
      )
    case 'duplicate':
      return (
        <>
          {`Sold to nobody: ${explain(decision)}`}
          {decision.duplicate_of !== null && (
            <>
              {' ('}
              <Link to={adminItemPath('leads', decision.duplicate_of)} className="rounded-sm underline">
                that lead
              </Link>
              )
            </>
          )}
          .
        </>
      )
    case 'expired':
      return `Sold to nobody while it was held: ${explain(decision)}.`
    default:
      return `Sold to nobody: ${explain(decision)}.`
  }
}

function explain({ reason, windows }: Decision) {
  const text = wordRefusal(reason ?? 'no_matching_order', windows)
  return text.charAt(0).toLowerCase() + text.slice(1)
}

function nameOf(client: string | null) {
  return client === null || client === '' ? 'an account without a name' : client
}
