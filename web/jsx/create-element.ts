import { createElement as create, type ElementType, type ReactNode } from 'react'
import { holdText } from './hold-text.ts'

/** Like `jsx` for a key after spread attributes, which JSX compiles to createElement. */
export function createElement(type: ElementType, attributes: object | null, ...children: ReactNode[]) {
  if (children.length === 0) return create(type, attributes)
  const { children: held } = holdText(type, { children: children.length === 1 ? children[0] : children })
  return children.length > 1 && Array.isArray(held)
    ? create(type, attributes, ...(held as ReactNode[]))
    : create(type, attributes, held)
}
