import { CONTACT_TRAP } from '#core/contract/operations/contact-message.ts'

/** A field that people leave empty, and the place of the captcha. */
export function ContactTrap() {
  return (
    <>
      {/* Not of type `hidden`, because programs leave such a field alone. */}
      <div hidden>
        <label htmlFor="contact-website">Leave this empty</label>
        <input id="contact-website" name={CONTACT_TRAP} tabIndex={-1} autoComplete="off" />
      </div>
      <div id="contact-captcha" />
    </>
  )
}
