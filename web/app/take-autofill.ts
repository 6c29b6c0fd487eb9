/**
 * Password managers fill fields in without an event that says so, and the form would send what it heard last. So each field says what
 * stands in it when its form is sent; a field that React knows already is no news to it.
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
