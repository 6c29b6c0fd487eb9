import { useEffect, useState, type RefObject } from 'react'

/** Answers a call after a refused save: the first field that is refused gets the focus, and with it comes into sight. */
export function useFaultFocus(form: RefObject<HTMLFormElement | null>): () => void {
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    if (asked > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [asked, form])
  return () => setAsked((count) => count + 1)
}
