import { useCallback, useEffect, useId, useState, type ReactElement, type ReactNode } from 'react'
import { bindTrigger } from './layer/bind-trigger.ts'
import { createTimer } from './layer/create-timer.ts'
import type { Side } from './layer/place-beside.ts'
import { Portal } from './layer/Portal.tsx'
import { usePlacement } from './layer/use-placement.ts'
import { endTurn, readOpenDelay, takeTurn } from './tooltip-turn.ts'

export interface TooltipProps {
  content: ReactNode
  side?: Side
  disabled?: boolean
  /** The described element; it must be focusable, or keyboard users never see the text. */
  children: ReactElement
}

/** Time to move the pointer to the text (WCAG 1.4.13). */
const LEAVE_DELAY_MS = 100

export function Tooltip({ content, side = 'top', disabled = false, children }: TooltipProps) {
  const id = useId()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [timer] = useState(createTimer)
  const close = useCallback(() => setAnchor(null), [])
  const open = (element: HTMLElement) => {
    timer.stop()
    if (disabled) return
    takeTurn(close)
    setAnchor(element)
  }
  const closeNow = () => {
    timer.stop()
    endTurn(close)
    close()
  }
  const leave = () => timer.start(closeNow, LEAVE_DELAY_MS)
  useEffect(
    () => () => {
      timer.stop()
      endTurn(close)
    },
    [close, timer],
  )

  const isOpen = anchor !== null && !disabled
  return (
    <>
      {bindTrigger(children, isOpen ? { 'aria-describedby': id } : {}, {
        onPointerEnter: ({ currentTarget, pointerType }) => {
          if (pointerType === 'touch') return
          timer.start(() => open(currentTarget), readOpenDelay())
        },
        onPointerLeave: leave,
        onPointerDown: closeNow,
        onFocus: ({ currentTarget }) => {
          if (currentTarget.matches(':focus-visible')) open(currentTarget)
        },
        onBlur: closeNow,
        onKeyDown: ({ key }) => {
          if (key === 'Escape') closeNow()
        },
      })}
      {isOpen && (
        <Bubble id={id} anchor={anchor} side={side} onEnter={timer.stop} onLeave={leave}>
          {content}
        </Bubble>
      )}
    </>
  )
}

interface BubbleProps {
  id: string
  anchor: HTMLElement
  side: Side
  onEnter: () => void
  onLeave: () => void
  children: ReactNode
}

function Bubble({ id, anchor, side, onEnter, onLeave, children }: BubbleProps) {
  const popup = usePlacement(anchor, { side, align: 'center', gap: 6 })
  return (
    <Portal>
      <div
        ref={popup}
        id={id}
        role="tooltip"
        onPointerEnter={onEnter}
        onPointerLeave={onLeave}
        className="fixed z-50 max-w-xs overflow-y-auto rounded-md bg-ink px-2 py-1 text-xs break-words text-canvas transition-opacity starting:opacity-0"
      >
        {children}
      </div>
    </Portal>
  )
}
