import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router-dom'
import { formatMoney } from '#web/format/money.ts'
import { paymentRequiredPath, settingsPath } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { accountQuery, useBalance } from './money-queries.ts'

/**
 * Says which problem with the client's money stops leads, or soon will, and links to the remedy; nothing
 * while all is well.
 */
export function FundingNotice() {
  const { data, isNone } = useBalance()
  const { pathname } = useLocation()
  const account = useQuery({ ...accountQuery, enabled: data !== undefined && !isNone })
  if (isNone || data === undefined) return null
  const isNew = !data.begun
  const stopped = account.data?.auto_recharge_stopped ?? null
  return (
    <>
      {data.funding === 'out' && (
        <Banner
          tone={isNew ? 'info' : 'failure'}
          title={isNew ? 'Add funds to start receiving leads' : 'No leads are bought for you now'}
          action={
            <Link to={paymentRequiredPath(pathname)} className={buttonClass('secondary', 'sm')}>
              Add funds
            </Link>
          }
        >
          {data.balance.startsWith('-')
            ? `A payment went back to whoever paid it: your balance is ${formatMoney(data.balance)}.`
            : `Your current balance is ${formatMoney(data.balance)}${isNew ? '' : ', less than a lead costs'}.`}
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
