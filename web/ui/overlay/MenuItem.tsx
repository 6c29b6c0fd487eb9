import { useContext, type ReactNode } from 'react'
import { CloseMenu } from './menu/close-menu.ts'
import { MenuEntry } from './menu/MenuEntry.tsx'

export interface MenuItemProps {
  icon?: ReactNode
  tone?: 'normal' | 'danger'
  disabled?: boolean
  onSelect?: () => void
  children: ReactNode
}

export function MenuItem({ icon, tone = 'normal', disabled = false, onSelect, children }: MenuItemProps) {
  const close = useContext(CloseMenu)
  return (
    <MenuEntry
      kind={{ role: 'menuitem' }}
      disabled={disabled}
      onChoose={() => {
        close()
        onSelect?.()
      }}
      className={tone === 'danger' ? 'text-failure' : 'text-ink [&_svg]:text-muted'}
    >
      {icon}
      {children}
    </MenuEntry>
  )
}

export function MenuSeparator() {
  return <div role="separator" className="-mx-1 my-1 h-px bg-line" />
}
