import { cloneElement, type DOMAttributes, type HTMLAttributes, type ReactElement } from 'react'

type Attributes = HTMLAttributes<HTMLElement> & { 'data-popup-open'?: string | undefined }
type Handlers = Pick<
  DOMAttributes<HTMLElement>,
  'onClick' | 'onKeyDown' | 'onFocus' | 'onBlur' | 'onPointerEnter' | 'onPointerLeave' | 'onPointerDown'
>

/** Adds attributes and handlers to an element of the caller; its own handlers run first. */
export function bindTrigger(element: ReactElement, attributes: Attributes, handlers: Handlers) {
  const trigger = element as ReactElement<Attributes>
  const merged: Record<string, unknown> = {}
  for (const [name, handler] of Object.entries(handlers) as [keyof Handlers, (event: unknown) => void][]) {
    const own = trigger.props[name] as ((event: unknown) => void) | undefined
    merged[name] = (event: unknown) => {
      own?.(event)
      handler(event)
    }
  }
  return cloneElement(trigger, { ...attributes, ...merged })
}
