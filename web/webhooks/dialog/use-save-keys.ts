import { useEffect, type RefObject } from 'react'

/** Ctrl+Enter and ⌘+Enter send the form from any of its fields; not from what floats above it. */
export function useSaveKeys(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const element = form.current
    const save = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
      event.preventDefault()
      element?.requestSubmit()
    }
    element?.addEventListener('keydown', save)
    return () => element?.removeEventListener('keydown', save)
  }, [form])
}
