import { useEffect, type RefObject } from 'react'

/**
 * After a refused save, focuses the first field with an error and scrolls to it.
 * @param saves number of tries whose errors are on screen; they are found one render earlier
 */
export function useFaultFocus(form: RefObject<HTMLFormElement | null>, saves: number): void {
  useEffect(() => {
    if (saves > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]')?.focus()
  }, [saves, form])
}
