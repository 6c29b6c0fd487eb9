import { CONTACT_TRAP } from '#core/contract/operations/contact-message.ts'

/** What a person leaves empty, and where the captcha stands if there is one. */
export function ContactTrap() {
  return (
    <>
      {/* Not `hidden` by its type: programs leave such a field alone. */}
      <div hidden>
        <label htmlFor="contact-website">Leave this empty</label>
        <input id="contact-website" name={CONTACT_TRAP} tabIndex={-1} autoComplete="off" />
      </div>
      <div id="contact-captcha" />
    </>
  )
}
