import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { MarketplaceSettings } from '#core/contract/market/money/marketplace-settings.ts'
import { formatMoney } from '#web/format/money.ts'
import { adminPath } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Card } from '#web/ui/show/Card.tsx'

/** Links to settings that administrators look for here and that are set elsewhere. */
export function SetElsewhere({ settings: { floors, fixed } }: { settings: MarketplaceSettings }) {
  return (
    <>
      <Card title="Price floors" className="max-w-2xl">
        <dl className="mb-3 text-sm">
          {floors.map(({ code, label, floor_price: floor }) => (
            <Row key={code} name={label}>
              {formatMoney(floor)}
            </Row>
          ))}
        </dl>
        <Link to={adminPath('prices')} className={buttonClass('secondary', 'sm')}>
          Change floors and prices
        </Link>
      </Card>
      <Card title="Set by the operator" className="max-w-2xl">
        <dl className="text-sm">
          {fixed.map(({ what, value, set_by: by }) => (
            <Row key={what} name={what}>
              {value}
              <span className="block text-xs text-muted">{by}</span>
            </Row>
          ))}
        </dl>
      </Card>
    </>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4 border-b border-line py-2 last:border-0">
      <dt className="min-w-0 flex-1 basis-40 break-words">{name}</dt>
      <dd className="ml-auto min-w-0 text-right wrap-anywhere tabular">{children}</dd>
    </div>
  )
}
