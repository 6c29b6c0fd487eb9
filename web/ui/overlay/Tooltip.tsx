import { Tooltip as Base } from '@base-ui/react/tooltip'
import { useId, useState, type ReactElement, type ReactNode } from 'react'

export interface TooltipProps {
  content: ReactNode
  side?: 'top' | 'right' | 'bottom' | 'left'
  disabled?: boolean
  /** The element that the tooltip describes; it must be focusable, or the keyboard never sees the text. */
  children: ReactElement
}

/** Delays are those of docs/product.md §9 and are set once, in UiProvider. */
export function Tooltip({ content, side = 'top', disabled = false, children }: TooltipProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  // Base UI sets neither the role nor the description, so both are added here.
  const described = open && !disabled ? { 'aria-describedby': id } : {}
  return (
    <Base.Root open={open} onOpenChange={setOpen} disabled={disabled}>
      <Base.Trigger render={children} {...described} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className="z-50">
          <Base.Popup
            id={id}
            role="tooltip"
            className="max-w-xs rounded-md bg-ink px-2 py-1 text-xs break-words text-canvas transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            {content}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
