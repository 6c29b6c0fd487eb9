/** Marks elements that stay reachable whatever is open: the toasts. */
export const ALWAYS_REACHED = 'data-toasts'

const held = new Map<Element, number>()

/**
 * Makes everything outside a layer unreachable for pointer, keyboard and screen reader, and stops the page's
 * scrolling.
 */
export function holdOthers(own: HTMLElement): () => void {
  const others = [...document.body.children].filter(
    (child) => child !== own && !child.hasAttribute(ALWAYS_REACHED),
  )
  if (held.size === 0) lockScrolling(true)
  for (const each of others) hold(each, 1)
  return () => {
    for (const each of others) hold(each, -1)
    if (held.size === 0) lockScrolling(false)
  }
}

/** Counted, because layers can overlap and need not close in reverse order. */
function hold(element: Element, change: number) {
  const count = (held.get(element) ?? 0) + change
  if (count > 0) held.set(element, count)
  else held.delete(element)
  element.toggleAttribute('inert', count > 0)
}

function lockScrolling(locked: boolean) {
  const { documentElement: page, body } = document
  // The page must not become wider when the scroll bar disappears.
  body.style.paddingRight = locked ? `${window.innerWidth - page.clientWidth}px` : ''
  page.style.overflow = locked ? 'hidden' : ''
}
