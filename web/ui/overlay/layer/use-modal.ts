import { useEffectEvent, useLayoutEffect, useState, type RefObject } from 'react'
import { holdOthers } from './hold-others.ts'

export interface ModalFocus {
  /** Returns the element to focus at first; null means the layer's first control. */
  first: () => HTMLElement | null
  /** Returns the element to focus after closing; null means the element that had the focus before. */
  last?: (() => HTMLElement | null) | undefined
}

const CONTROLS =
  'a[href], button:not(:disabled), input:not(:disabled, [type=hidden]), textarea:not(:disabled), [tabindex="0"]'

/** The focused element before each layer. If one layer replaces another, it returns the focus for both. */
const openers = new WeakMap<Node, Element | null>()

/**
 * While the layer is open, only it and the toasts are reachable. The focus moves into it, and back
 * afterwards.
 */
export function useModal(layer: RefObject<HTMLElement | null>, { first, last }: ModalFocus) {
  // Read before the layer's content takes the focus by itself.
  const [opener] = useState(() => document.activeElement)
  const findFirst = useEffectEvent(() => first() ?? layer.current?.querySelector<HTMLElement>(CONTROLS))
  const findLast = useEffectEvent(() => last?.() ?? null)
  useLayoutEffect(() => {
    const own = layer.current
    if (own === null) return
    const release = holdOthers(own)
    openers.set(own, opener)
    if (!own.contains(document.activeElement)) findFirst()?.focus({ preventScroll: true })
    return () => {
      release()
      // Waits until the layer is removed, because the focus may still be in it.
      queueMicrotask(() => {
        const next = findLast()
        if (document.activeElement !== document.body && document.activeElement !== null) return
        const target = next?.querySelector<HTMLElement>(CONTROLS) ?? next ?? findConnected(opener)
        if (target instanceof HTMLElement && target.isConnected) target.focus({ preventScroll: true })
      })
    }
  }, [layer, opener])
}

function findConnected(opener: Element | null): Element | null {
  return opener === null || opener.isConnected
    ? opener
    : findConnected(openers.get(opener.getRootNode()) ?? null)
}
