/**
 * Some password managers fill fields in without an input event, so React would send the old values. Before a
 * form is submitted, every field fires one; React ignores those that did not change.
 */
export function takeAutofill(page: Document) {
  page.addEventListener(
    'submit',
    ({ target }) => {
      if (!(target instanceof HTMLFormElement)) return
      for (const field of target.elements)
        if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)
          field.dispatchEvent(new Event('input', { bubbles: true }))
    },
    { capture: true },
  )
}
