import type { ElementType, ReactNode } from 'react'
import { Fragment, jsx } from 'react/jsx-runtime'

/** Elements that hold only text, so no span fits in them. */
const OF_TEXT = new Set<unknown>(['option', 'title', 'textarea', 'style', 'script'])
/** SVG elements in which a span draws nothing. */
const OF_DRAWING = new Set<unknown>(['text', 'tspan', 'textPath'])

interface Given {
  children?: ReactNode
}

/**
 * Wraps each text that has siblings in a span, because a browser that translates a page replaces text nodes with its
 * own. React rewrites an element's only text as a whole. But it looks for a text node that has siblings, and would not
 * find the replaced one: the screen would break or keep showing the old text.
 */
export function holdText<Props extends Given>(type: ElementType, props: Props): Props {
  const { children } = props
  if (type === Fragment && isText(children)) return { ...props, children: inSpan(children) }
  if (!Array.isArray(children) || !children.some(isText) || OF_DRAWING.has(type)) return props
  const joined = joinTexts(children as ReactNode[])
  const rest = joined.filter((child) => !isNothing(child))
  const [only] = rest
  // A component may accept only a plain text.
  if (rest.length === 1 && isText(only) && type !== Fragment) return { ...props, children: only }
  return OF_TEXT.has(type)
    ? props
    : { ...props, children: joined.map((child) => (isText(child) ? inSpan(child) : child)) }
}

/**
 * Joins neighbouring texts, so that they are translated together. The other children keep their index, by
 * which React identifies them.
 */
function joinTexts(children: readonly ReactNode[]): ReactNode[] {
  const joined: ReactNode[] = []
  let at = -1
  for (const [index, child] of children.entries()) {
    const before = at < 0 ? undefined : joined[at]
    if (isText(child) && isText(before)) {
      joined[at] = `${before}${child}`
      joined[index] = null
    } else {
      joined[index] = child
      if (!isNothing(child)) at = isText(child) ? index : -1
    }
  }
  return joined
}

function inSpan(text: string | number): ReactNode {
  return text === '' ? text : jsx('span', { children: text })
}

function isText(child: ReactNode): child is string | number {
  return typeof child === 'string' || typeof child === 'number'
}

function isNothing(child: ReactNode): boolean {
  return child === null || child === undefined || typeof child === 'boolean'
}
