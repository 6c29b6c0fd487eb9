import { useEffectEvent, useLayoutEffect } from 'react'

/** Close functions of the open layers; the last one opened closes first. */
const open: (() => void)[] = []

function onKeyDown(event: KeyboardEvent) {
  // The layer's content may have handled the key itself, and so may an input method.
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
  const dismiss = open.at(-1)
  if (dismiss === undefined) return
  event.preventDefault()
  dismiss()
}

/** Closes the top layer at Escape, one layer per press. */
export function useEscape(onEscape: () => void) {
  const dismiss = useEffectEvent(onEscape)
  // A layout effect, because a key pressed right after the opening is meant for the layer.
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
