import { useState, type KeyboardEvent, type ReactElement, type ReactNode } from 'react'
import { bindTrigger } from './layer/bind-trigger.ts'
import { CloseMenu } from './menu/close-menu.ts'
import { MenuPopup, type MenuStart } from './menu/MenuPopup.tsx'

export interface MenuProps {
  /** A Button or IconButton; it receives the popup's attributes. */
  trigger: ReactElement
  align?: 'start' | 'end'
  children: ReactNode
}

/** A menu button, as in WAI-ARIA's authoring practices. */
export function Menu({ trigger, align = 'end', children }: MenuProps) {
  const [opened, setOpened] = useState<{ anchor: HTMLElement; start: MenuStart } | null>(null)
  const close = () => {
    // Focuses the button before the menu closes, so that a dialog opened from an item returns to it.
    opened?.anchor.focus({ preventScroll: true })
    setOpened(null)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    setOpened({ anchor: event.currentTarget, start: event.key === 'ArrowDown' ? 'first' : 'last' })
  }
  const isOpen = opened !== null
  return (
    <>
      {bindTrigger(
        trigger,
        { 'aria-haspopup': 'menu', 'aria-expanded': isOpen, 'data-popup-open': isOpen ? '' : undefined },
        {
          onKeyDown,
          // Enter and Space cause a click without a pointer; the first item then gets the focus at once.
          onClick: ({ currentTarget, detail }) =>
            setOpened({ anchor: currentTarget, start: detail === 0 ? 'first' : 'none' }),
        },
      )}
      {opened !== null && (
        <CloseMenu value={close}>
          <MenuPopup anchor={opened.anchor} start={opened.start} align={align} onClose={close}>
            {children}
          </MenuPopup>
        </CloseMenu>
      )}
    </>
  )
}
