import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router-dom'
import { formatMoney } from '#web/format/money.ts'
import { paymentRequiredPath, settingsPath } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { accountQuery, useBalance } from './money-queries.ts'

/** What of the client's money keeps leads from him, or soon will, with the way to put it right; nothing while all is well. */
export function FundingNotice() {
  const { data, isNone } = useBalance()
  const { pathname } = useLocation()
  const account = useQuery({ ...accountQuery, enabled: data !== undefined && !isNone })
  if (isNone || data === undefined) return null
  const stopped = account.data?.auto_recharge_stopped ?? null
  return (
    <>
      {data.funding === 'out' && (
        <Banner
          tone="failure"
          title="No leads are bought for you now"
          action={
            <Link to={paymentRequiredPath(pathname)} className={buttonClass('secondary', 'sm')}>
              Add funds
            </Link>
          }
        >
          {data.balance.startsWith('-')
            ? `A payment went back to whoever paid it: your balance is ${formatMoney(data.balance)}.`
            : `Your balance of ${formatMoney(data.balance)} does not pay for one.`}
        </Banner>
      )}
      {data.funding === 'limited' && (
        <Banner
          tone="waiting"
          title="Your balance is low"
          action={
            <Link to={settingsPath('billing')} className={buttonClass('secondary', 'sm')}>
              Add funds
            </Link>
          }
        >
          {formatMoney(data.balance)} are left.
        </Banner>
      )}
      {stopped !== null && (
        <Banner
          tone="waiting"
          title="Your auto-recharge is switched off"
          action={
            <Link to={settingsPath('billing')} className={buttonClass('secondary', 'sm')}>
              Open billing
            </Link>
          }
        >
          {stopped}
        </Banner>
      )}
    </>
  )
}
