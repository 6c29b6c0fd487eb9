import clsx from 'clsx'
import { NavLink } from 'react-router-dom'
import { formatCount } from '#web/format/count-of.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Tooltip } from '#web/ui/overlay/Tooltip.tsx'
import type { NavigationItem } from './navigation.ts'

export interface SidebarItemProps {
  item: NavigationItem
  narrow: boolean
  /** shown as a badge if it is above zero */
  count?: number
  /** whether there are more */
  more?: boolean
  /** what the badge counts, for screen readers */
  countWord?: string
  /** active only at exactly this path */
  isWhole?: boolean
  onNavigate?: () => void
}

const SHAPE = 'relative flex h-9 items-center gap-3 rounded-lg text-sm font-medium'

export function SidebarItem(props: SidebarItemProps) {
  const { item, narrow, count = 0, more = false, countWord = 'unread', isWhole = false, onNavigate } = props
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

  return (
    <Tooltip content={item.label} side="right" disabled={!narrow}>
      <NavLink
        to={item.path}
        end={isWhole}
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
        {count > 0 && <Count text={formatCount(count, more)} word={countWord} narrow={narrow} />}
      </NavLink>
    </Tooltip>
  )
}

function Count({ text, word, narrow }: { text: string; word: string; narrow: boolean }) {
  return (
    <span
      className={clsx(
        'rounded-full bg-accent text-center text-xs font-semibold text-on-accent tabular',
        narrow ? 'absolute top-0 right-1 min-w-4 px-1 text-[10px]' : 'min-w-5 px-1.5 leading-5',
      )}
    >
      {text}
      <span className="sr-only"> {word}</span>
    </span>
  )
}
