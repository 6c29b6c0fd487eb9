import clsx from 'clsx'
import { NavLink } from 'react-router-dom'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Tooltip } from '#web/ui/overlay/Tooltip.tsx'
import type { NavigationItem } from './navigation.ts'

export interface SidebarItemProps {
  item: NavigationItem
  narrow: boolean
  unread: number
  onNavigate?: () => void
}

const SHAPE = 'relative flex h-9 items-center gap-3 rounded-lg text-sm font-medium'

export function SidebarItem({ item, narrow, unread, onNavigate }: SidebarItemProps) {
  const Icon = item.icon
  const shape = clsx(SHAPE, narrow ? 'justify-center' : 'px-3')
  const text = <span className={narrow ? 'sr-only' : 'min-w-0 flex-1 truncate'}>{item.label}</span>

  if ('soon' in item) {
    return (
      <Tooltip content="Coming soon" side="right">
        <span tabIndex={0} role="link" aria-disabled className={clsx(shape, 'cursor-default text-faint')}>
          <Icon aria-hidden className="size-4 shrink-0 opacity-70" />
          {text}
          <Badge className={narrow ? 'sr-only' : ''}>Soon</Badge>
        </span>
      </Tooltip>
    )
  }

  const count = item.counts === 'unread_leads' ? unread : 0
  return (
    <Tooltip content={item.label} side="right" disabled={!narrow}>
      <NavLink
        to={item.path}
        onClick={onNavigate}
        className={({ isActive }) =>
          clsx(
            shape,
            'transition-colors',
            isActive ? 'bg-accent-soft text-accent-strong' : 'text-muted hover:bg-hover hover:text-ink',
          )
        }
      >
        <Icon aria-hidden className="size-4 shrink-0" />
        {text}
        {count > 0 && <UnreadCount count={count} narrow={narrow} />}
      </NavLink>
    </Tooltip>
  )
}

function UnreadCount({ count, narrow }: { count: number; narrow: boolean }) {
  return (
    <span
      className={clsx(
        'rounded-full bg-accent text-center text-xs font-semibold text-on-accent tabular',
        narrow ? 'absolute top-0 right-1 min-w-4 px-1 text-[10px]' : 'min-w-5 px-1.5 leading-5',
      )}
    >
      {count.toLocaleString('en-US')}
      <span className="sr-only"> unread</span>
    </span>
  )
}
