import { useContext, type ReactNode } from 'react'
import { OFFLINE_REASON_ID, useOfflineReason } from '../action/use-offline-reason.ts'
import { CloseMenu } from './menu/close-menu.ts'
import { MenuEntry } from './menu/MenuEntry.tsx'

export interface MenuItemProps {
  icon?: ReactNode
  tone?: 'normal' | 'danger'
  disabled?: boolean
  /** True if the item sends a request. Offline it cannot be chosen and says why. */
  asks?: boolean
  onSelect?: () => void
  children: ReactNode
}

export function MenuItem(props: MenuItemProps) {
  const { icon, tone = 'normal', disabled = false, asks = false, onSelect, children } = props
  const reason = useOfflineReason(asks)
  const close = useContext(CloseMenu)
  return (
    <MenuEntry
      kind={{ role: 'menuitem' }}
      disabled={disabled || reason !== null}
      {...(reason === null ? {} : { reason: { text: reason, id: OFFLINE_REASON_ID } })}
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
