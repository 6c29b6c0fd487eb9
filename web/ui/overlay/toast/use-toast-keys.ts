import { useEffect, type RefObject } from 'react'

/** F6 moves the focus to the toasts; F6 or Escape moves it back. */
export function useToastKeys(region: RefObject<HTMLElement | null>, isShown: boolean) {
  useEffect(() => {
    if (!isShown) return
    let before: Element | null = null
    const onKeyDown = (event: KeyboardEvent) => {
      const own = region.current
      if (own === null) return
      const isIn = own.contains(document.activeElement)
      if (event.key === 'F6' && !isIn) {
        event.preventDefault()
        before = document.activeElement
        own.focus()
      } else if (isIn && (event.key === 'F6' || event.key === 'Escape')) {
        event.preventDefault()
        if (before instanceof HTMLElement && before.isConnected) before.focus()
      }
    }
    document.addEventListener('keydown', onKeyDown, { capture: true })
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [region, isShown])
}
