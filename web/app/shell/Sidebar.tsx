import clsx from 'clsx'
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '#web/ui/action/IconButton.tsx'
import { Tooltip } from '#web/ui/overlay/Tooltip.tsx'

export interface SidebarProps {
  narrow: boolean
  onNarrowChange: (narrow: boolean) => void
  children: ReactNode
}

/** 16rem wide, 4rem when narrow (docs/product.md §9). */
export function Sidebar({ narrow, onNarrowChange, children }: SidebarProps) {
  const label = narrow ? 'Expand sidebar' : 'Collapse sidebar'
  return (
    <aside
      aria-label="Sidebar"
      className={clsx(
        'sticky top-0 hidden h-dvh shrink-0 flex-col border-r border-line bg-surface transition-[width] md:flex print:hidden',
        narrow ? 'w-16' : 'w-64',
      )}
    >
      <div className="min-h-0 flex-1">{children}</div>
      <div
        className={clsx(
          'flex h-12 shrink-0 items-center border-t border-line px-2',
          narrow && 'justify-center',
        )}
      >
        <Tooltip content={label} side="right">
          <IconButton
            label={label}
            aria-expanded={!narrow}
            aria-keyshortcuts="Control+B"
            icon={narrow ? <PanelLeftOpen /> : <PanelLeftClose />}
            onClick={() => onNarrowChange(!narrow)}
          />
        </Tooltip>
      </div>
    </aside>
  )
}
