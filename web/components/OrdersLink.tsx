import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { meQuery } from '../api/me.ts'
import { PATHS } from '../paths.ts'
import { buttonClass } from '../ui/action/button-class.ts'
import { Badge } from '../ui/show/Badge.tsx'

/** Leads a client to its orders, which the sidebar does not list, with the number of those that are active. */
export function OrdersLink() {
  const me = useQuery(meQuery).data
  if (me?.role !== 'client') return null
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
