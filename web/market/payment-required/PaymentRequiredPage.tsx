import { Link, Navigate, useLocation } from 'react-router-dom'
import { AuthFrame } from '#web/app/AuthFrame.tsx'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { formatMoney } from '#web/format/money.ts'
import { PATHS, returnPath, settingsPath } from '#web/paths.ts'
import { useAuth } from '#web/session/auth-context.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { useBalance } from '../money-queries.ts'

/** Says why no leads arrive and what to do about it. It blocks nothing: a client with funds is redirected. */
export function PaymentRequiredPage() {
  const balance = useBalance()
  const { signOut } = useAuth()
  const { search } = useLocation()
  const { data } = balance
  if (balance.isNone || (data !== undefined && data.funding !== 'out'))
    return <Navigate to={returnPath(new URLSearchParams(search), location.origin)} replace />
  return (
    <AuthFrame
      title="Payment required"
      footer={
        <>
          <Link to={PATHS.dashboard} className="hover:text-ink hover:underline">
            Dashboard
          </Link>
          <Link to={PATHS.leads} className="hover:text-ink hover:underline">
            Your leads
          </Link>
          <Link to={PATHS.clientIntegrations} className="hover:text-ink hover:underline">
            Integrations
          </Link>
          <button type="button" onClick={() => void signOut()} className="hover:text-ink hover:underline">
            Sign Out
          </button>
        </>
      }
    >
      {data !== undefined ? (
        <>
          <p className="text-base">
            Add funds to start receiving leads. Your current balance is {formatMoney(data.balance)}.
          </p>
          <p className="text-sm text-muted">
            Until then no new leads are assigned to you. Everything else goes on: your leads, their
            deliveries, logs, returns and settings.
          </p>
          {data.pending.length > 0 && (
            <p className="text-sm text-muted">
              You asked for {data.pending.map(({ amount }) => formatMoney(amount)).join(' and ')} already; it
              is not received yet.
            </p>
          )}
          <Link to={settingsPath('billing')} className={buttonClass('primary')}>
            Add funds
          </Link>
        </>
      ) : balance.isError ? (
        <LoadFailure
          title="Your balance could not be loaded."
          error={balance.error}
          onRetry={() => void balance.refetch()}
        />
      ) : (
        <CardSkeleton />
      )}
    </AuthFrame>
  )
}
