import { CONTACT_LIMITS } from '#core/contract/operations/contact-message.ts'
import { CONTROL_CLASS } from '#web/ui/form/control-class.ts'
import { Labelled } from './Labelled.tsx'

/** The address to answer to. */
export function ContactEmail() {
  return (
    <Labelled id="email" label="Email">
      <input
        id="contact-email"
        name="email"
        type="email"
        autoComplete="email"
        required
        maxLength={CONTACT_LIMITS.email}
        className={`${CONTROL_CLASS} h-10`}
      />
    </Labelled>
  )
}
