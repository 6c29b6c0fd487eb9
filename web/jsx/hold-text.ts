import type { ElementType, ReactNode } from 'react'
import { Fragment, jsx } from 'react/jsx-runtime'

/** Elements that hold text alone: several texts in one are one text. */
const OF_TEXT = new Set<unknown>(['option', 'title', 'textarea', 'style', 'script'])
/** Inside of SVG a span draws nothing. */
const OF_DRAWING = new Set<unknown>(['text', 'tspan', 'textPath'])

interface Given {
  children?: ReactNode
}

/**
 * The children of an element with each text that stands beside others in an element of its own. A browser that translates a page takes
 * text nodes away and puts its own in their place. Where a text is all that its element holds, React writes the element's content
 * anew; a text beside others it would look for, and not find: the screen would break, or show the old text for ever.
 */
export function holdText<Props extends Given>(type: ElementType, props: Props): Props {
  const { children } = props
  if (type === Fragment && isText(children)) return { ...props, children: inSpan(children) }
  if (!Array.isArray(children) || !children.some(isText) || OF_DRAWING.has(type)) return props
  const joined = joinTexts(children as ReactNode[])
  const rest = joined.filter((child) => !isNothing(child))
  const [only] = rest
  // A component may want a text and nothing else.
  if (rest.length === 1 && isText(only) && type !== Fragment) return { ...props, children: only }
  return OF_TEXT.has(type)
    ? props
    : { ...props, children: joined.map((child) => (isText(child) ? inSpan(child) : child)) }
}

/** Neighbouring texts become one, which is translated as one; what follows keeps its place, by which React knows it. */
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
