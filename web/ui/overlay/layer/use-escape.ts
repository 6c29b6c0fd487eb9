import { useEffectEvent, useLayoutEffect } from 'react'

/** What Escape closes, the last opened first. */
const open: (() => void)[] = []

function onKeyDown(event: KeyboardEvent) {
  // Whatever is in the layer may have had its own use for it, and so may a writing system that composes.
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
  const dismiss = open.at(-1)
  if (dismiss === undefined) return
  event.preventDefault()
  dismiss()
}

/** Escape closes what floats, one layer a press. */
export function useEscape(onEscape: () => void) {
  const dismiss = useEffectEvent(onEscape)
  // With the layer itself: a key pressed at once is meant for it.
  useLayoutEffect(() => {
    const layer = () => dismiss()
    if (open.length === 0) document.addEventListener('keydown', onKeyDown)
    open.push(layer)
    return () => {
      open.splice(open.indexOf(layer), 1)
      if (open.length === 0) document.removeEventListener('keydown', onKeyDown)
    }
  }, [])
}
