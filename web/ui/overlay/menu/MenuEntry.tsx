import clsx from 'clsx'
import type { ReactNode } from 'react'

export interface MenuEntryProps {
  /** What kind it is, and whether it is on where it can be. */
  kind: { role: 'menuitem' } | { role: 'menuitemradio' | 'menuitemcheckbox'; 'aria-checked': boolean }
  disabled?: boolean
  /** why it is, and the id of the element that says so */
  reason?: { text: string; id: string }
  onChoose: () => void
  className?: string
  children: ReactNode
}

/** One entry of a menu, of whatever kind. Where the pointer is, there the focus is too. */
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
