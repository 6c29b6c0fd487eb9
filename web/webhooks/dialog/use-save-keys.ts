import { isComposing } from '#web/ui/form/is-composing.ts'
import { useEffect, type RefObject } from 'react'

/** Ctrl+Enter and ⌘+Enter send the form from any of its fields; not from what floats above it. */
export function useSaveKeys(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const element = form.current
    const save = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
      if (isComposing(event)) return
      event.preventDefault()
      // As a press of its button does, which may refuse it.
      findSubmit(element)?.click()
    }
    element?.addEventListener('keydown', save)
    return () => element?.removeEventListener('keydown', save)
  }, [form])
}

/** A button of the form, wherever on the page it stands. */
function findSubmit(form: HTMLFormElement | null): HTMLButtonElement | undefined {
  return [...(form?.elements ?? [])].find(
    (one) => one instanceof HTMLButtonElement && one.type === 'submit',
  ) as HTMLButtonElement | undefined
}
