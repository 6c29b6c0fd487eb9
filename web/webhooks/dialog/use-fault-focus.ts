import { useEffect, type RefObject } from 'react'

/**
 * After a refused save the first field that is refused gets the focus, and with it comes into sight.
 * @param saves tries so far, counted when their faults are on screen (and not when they are found: that is a render earlier)
 */
export function useFaultFocus(form: RefObject<HTMLFormElement | null>, saves: number): void {
  useEffect(() => {
    if (saves > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]')?.focus()
  }, [saves, form])
}
