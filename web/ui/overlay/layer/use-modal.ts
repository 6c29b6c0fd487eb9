import { useEffectEvent, useLayoutEffect, useState, type RefObject } from 'react'
import { holdOthers } from './hold-others.ts'

export interface ModalFocus {
  /** What has the focus when it opens; null: the layer's first control. */
  first: () => HTMLElement | null
  /** What has it when it is closed; null: what had it before. */
  last?: (() => HTMLElement | null) | undefined
}

const CONTROLS =
  'a[href], button:not(:disabled), input:not(:disabled, [type=hidden]), textarea:not(:disabled), [tabindex="0"]'

/** What had the focus before each layer: one that takes another's place gives it back for both. */
const openers = new WeakMap<Node, Element | null>()

/** While the layer is open nothing but it, and the toasts, can be reached; the focus goes into it, and back where it came from. */
export function useModal(layer: RefObject<HTMLElement | null>, { first, last }: ModalFocus) {
  // Before what is in it takes the focus by itself.
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
      // Once the layer is gone: until then the focus may be in it.
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
