import clsx from 'clsx'
import type { ReactNode } from 'react'

export interface MenuEntryProps {
  /** Role of the item, with its state if it is checkable. */
  kind: { role: 'menuitem' } | { role: 'menuitemradio' | 'menuitemcheckbox'; 'aria-checked': boolean }
  disabled?: boolean
  /** reason why it is disabled, and the id of the element with that text */
  reason?: { text: string; id: string }
  onChoose: () => void
  className?: string
  children: ReactNode
}

/** One menu item of any kind. The focus follows the pointer. */
export function MenuEntry(props: MenuEntryProps) {
  const { kind, disabled = false, reason, onChoose, className, children } = props
  return (
    <button
      {...kind}
      type="button"
      tabIndex={-1}
      {...(disabled ? { 'aria-disabled': true } : { onClick: onChoose })}
      {...(reason === undefined ? {} : { 'aria-describedby': reason.id, title: reason.text })}
      onPointerMove={({ currentTarget }) => {
        if (document.activeElement !== currentTarget) currentTarget.focus({ preventScroll: true })
      }}
      className={clsx(
        'flex h-8 w-full items-center gap-2 rounded-md px-2 text-left text-sm outline-none select-none aria-disabled:opacity-50',
        'focus:bg-hover [&_svg]:size-4 [&_svg]:shrink-0',
        className,
      )}
    >
      {children}
    </button>
  )
}
