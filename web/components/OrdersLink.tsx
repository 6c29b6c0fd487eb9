import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { meQuery } from '../api/me.ts'
import { memberMay } from '../api/use-member-may.ts'
import { PATHS } from '../paths.ts'
import { buttonClass } from '../ui/action/button-class.ts'
import { Badge } from '../ui/show/Badge.tsx'

/** Leads people who may see the orders to them, with the number of active ones: the sidebar does not list orders. */
export function OrdersLink() {
  const me = useQuery(meQuery).data
  if (me?.role !== 'client' || !memberMay(me, 'orders')) return null
  const { active_order_count: active } = me
  return (
    <Link to={PATHS.orders} className={buttonClass('secondary')}>
      Orders
      <Badge tone={active > 0 ? 'success' : 'neutral'}>
        {active > 0 ? `${active} active` : 'None active'}
      </Badge>
    </Link>
  )
}
