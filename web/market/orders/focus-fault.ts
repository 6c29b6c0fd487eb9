const CONTROLS = 'input, button, select, textarea'

/** Focuses the first control of a form that has a fault, from top to bottom. */
export function focusFault(form: HTMLElement | null): void {
  const fault = form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]')
  const control = fault?.matches(CONTROLS) === true ? fault : fault?.querySelector<HTMLElement>(CONTROLS)
  control?.focus()
}
