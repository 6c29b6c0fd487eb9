import { isComposing } from '#web/ui/form/is-composing.ts'
import { useEffect, type RefObject } from 'react'

/** Submits the form by Ctrl+Enter or ⌘+Enter from any of its fields, but not from a layer above it. */
export function useSaveKeys(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const element = form.current
    const save = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
      if (isComposing(event)) return
      event.preventDefault()
      // Clicks the button, which may be held.
      findSubmit(element)?.click()
    }
    element?.addEventListener('keydown', save)
    return () => element?.removeEventListener('keydown', save)
  }, [form])
}

/** Finds the form's submit button, which may be elsewhere on the page. */
function findSubmit(form: HTMLFormElement | null): HTMLButtonElement | undefined {
  return [...(form?.elements ?? [])].find(
    (one) => one instanceof HTMLButtonElement && one.type === 'submit',
  ) as HTMLButtonElement | undefined
}
