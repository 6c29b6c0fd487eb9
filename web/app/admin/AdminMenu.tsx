import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { ArrowLeft } from 'lucide-react'
import { Link } from 'react-router-dom'
import { needsByPlaceQuery } from '#web/operations/overview/overview-queries.ts'
import { PATHS } from '#web/paths.ts'
import { Logo } from '../Logo.tsx'
import type { MenuProps } from '../shell/SidebarContent.tsx'
import { SidebarItem } from '../shell/SidebarItem.tsx'
import { placePath, PLACES } from './admin-places.tsx'

const WAY_BACK = { label: 'Your dashboard', icon: ArrowLeft, path: PATHS.dashboard }

/** The sidebar of the administration, with a badge where work waits. */
export function AdminMenu({ narrow = false, onNavigate = () => undefined }: MenuProps) {
  const { data: counts } = useQuery(needsByPlaceQuery)
  return (
    <div className="flex h-full flex-col">
      <div className={clsx('flex h-14 shrink-0 items-center gap-2', narrow ? 'justify-center' : 'px-5')}>
        <Link to={PATHS.admin} onClick={onNavigate} className="rounded-md">
          <Logo wordless={narrow} />
        </Link>
      </div>
      <nav
        aria-label="Administration"
        className="flex min-h-0 flex-1 flex-col gap-0.5 overflow-y-auto px-2 py-2"
      >
        {PLACES.map((place) => (
          <SidebarItem
            key={place.label}
            item={{ label: place.label, icon: place.icon, path: placePath(place) }}
            isWhole={place.place === undefined}
            {...(place.place && counts?.get(place.place))}
            countWord="waiting for you"
            narrow={narrow}
            onNavigate={onNavigate}
          />
        ))}
      </nav>
      <div className="px-2 pb-2">
        <SidebarItem item={WAY_BACK} narrow={narrow} onNavigate={onNavigate} />
      </div>
    </div>
  )
}
