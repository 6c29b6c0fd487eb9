import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { Link } from 'react-router-dom'
import { meQuery } from '#web/api/me.ts'
import { useBalance } from '#web/market/money-queries.ts'
import { PATHS } from '#web/paths.ts'
import { BalanceCard } from './BalanceCard.tsx'
import { Logo } from '../Logo.tsx'
import { ADMINISTRATION, NAVIGATION, NAVIGATION_BELOW } from './navigation.ts'
import { SidebarItem } from './SidebarItem.tsx'

export interface MenuProps {
  narrow?: boolean
  onNavigate?: () => void
}

/** Shared by the fixed sidebar and the drawer on phones. */
export function SidebarContent({ narrow = false, onNavigate = () => undefined }: MenuProps) {
  const me = useQuery(meQuery)
  const balance = useBalance()
  return (
    <div className="flex h-full flex-col">
      <div className={clsx('flex h-14 shrink-0 items-center', narrow ? 'justify-center' : 'px-5')}>
        <Link to={PATHS.home} onClick={onNavigate} className="rounded-md">
          <Logo wordless={narrow} />
        </Link>
      </div>
      <nav aria-label="Main" className="flex min-h-0 flex-1 flex-col gap-0.5 overflow-y-auto px-2 py-2">
        {NAVIGATION.map((item) => (
          <SidebarItem
            key={item.label}
            item={item}
            narrow={narrow}
            count={'counts' in item ? (me.data?.unread_lead_count ?? 0) : 0}
            onNavigate={onNavigate}
          />
        ))}
        {me.data?.role === 'admin' && (
          <SidebarItem item={ADMINISTRATION} narrow={narrow} onNavigate={onNavigate} />
        )}
      </nav>
      <div className="flex flex-col gap-2 px-2 pb-2">
        {/* Null for a person whose role does not include money. */}
        {!narrow && me.data?.balance !== null && (
          <BalanceCard
            // Amount and label come from one answer, so that they show the same moment.
            balance={balance.data?.balance ?? me.data?.balance ?? undefined}
            funds={balance.data}
            onNavigate={onNavigate}
          />
        )}
        <div className="flex flex-col gap-0.5">
          {NAVIGATION_BELOW.map((item) => (
            <SidebarItem key={item.label} item={item} narrow={narrow} onNavigate={onNavigate} />
          ))}
        </div>
      </div>
    </div>
  )
}
