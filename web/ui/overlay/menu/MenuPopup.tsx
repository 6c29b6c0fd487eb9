import { useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { FloatingList } from '../layer/FloatingList.tsx'
import { useEscape } from '../layer/use-escape.ts'
import { findTyped, useTyping } from '../layer/use-typing.ts'

/** The item that gets the focus first. */
export type MenuStart = 'first' | 'last' | 'none'

export interface MenuPopupProps {
  anchor: HTMLElement
  start: MenuStart
  align: 'start' | 'end'
  onClose: () => void
  children: ReactNode
}

export function MenuPopup({ anchor, start, align, onClose, children }: MenuPopupProps) {
  const content = useRef<HTMLDivElement>(null)
  const readTyping = useTyping()
  useEscape(onClose)
  const entries = () => [...(content.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]

  useLayoutEffect(() => {
    const items = [...(content.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
    const target = start === 'none' ? content.current?.parentElement : items.at(start === 'first' ? 0 : -1)
    target?.focus({ preventScroll: true })
  }, [start])

  const onKeyDown = (event: KeyboardEvent) => {
    const items = entries()
    const at = items.findIndex((item) => item === document.activeElement)
    if (event.key === 'Tab') return onClose()
    const next = findNext(event, items, at)
    if (next === undefined) {
      const typed = readTyping(event)
      if (typed === null) return
      const labels = items.map(({ textContent }) => textContent)
      items[findTyped(labels, typed, at) ?? -1]?.focus()
    } else {
      event.preventDefault()
      next.focus()
    }
  }
  return (
    <FloatingList
      anchor={anchor}
      placement={{ align }}
      onDismiss={onClose}
      role="menu"
      aria-label={anchor.getAttribute('aria-label') ?? anchor.textContent}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onPointerLeave={({ currentTarget }) => currentTarget.focus({ preventScroll: true })}
      className="min-w-44"
    >
      <div ref={content}>{children}</div>
    </FloatingList>
  )
}

function findNext({ key }: KeyboardEvent, items: readonly HTMLElement[], at: number) {
  if (key === 'ArrowDown') return items[(at + 1) % items.length]
  if (key === 'ArrowUp') return items.at(at <= 0 ? -1 : at - 1)
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  return undefined
}
