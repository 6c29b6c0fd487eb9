import {
  CONTACT_LIMITS,
  CONTACT_TOPIC_LABELS,
  CONTACT_TOPICS,
} from '#core/contract/operations/contact-message.ts'
import { SITE_PATHS } from '#core/contract/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { CONTROL_CLASS } from '#web/ui/form/control-class.ts'
import { TextLink } from '../parts/TextLink.tsx'
import { ContactEmail } from './ContactEmail.tsx'
import { ContactTrap } from './ContactTrap.tsx'
import { Labelled } from './Labelled.tsx'

/**
 * Sent by the browser itself, so it works without JavaScript. The server writes errors into this page
 * (server/operations/contact/fill-contact-page.ts) and keeps all that was typed.
 */
export function ContactForm() {
  return (
    <form
      id="contact-form"
      method="post"
      action={SITE_PATHS.contact}
      acceptCharset="utf-8"
      className="mt-8 flex max-w-xl flex-col gap-5"
    >
      <div id="contact-problems" />
      <Labelled id="name" label="Name">
        <input
          id="contact-name"
          name="name"
          autoComplete="name"
          required
          maxLength={CONTACT_LIMITS.name}
          className={`${CONTROL_CLASS} h-10`}
        />
      </Labelled>
      <ContactEmail />
      <Labelled id="topic" label="Topic">
        <select id="contact-topic" name="topic" className={`${CONTROL_CLASS} h-10`}>
          {CONTACT_TOPICS.map((topic) => (
            <option key={topic} value={topic}>
              {CONTACT_TOPIC_LABELS[topic]}
            </option>
          ))}
        </select>
      </Labelled>
      <Labelled id="message" label="Message">
        <textarea
          id="contact-message"
          name="message"
          rows={7}
          required
          minLength={CONTACT_LIMITS.shortestMessage}
          maxLength={CONTACT_LIMITS.message}
          aria-describedby="contact-hint"
          className={`${CONTROL_CLASS} resize-y py-2`}
        />
        <p id="contact-hint" className="text-xs text-muted">
          Name leads, orders and webhooks by their ids. Do not send passwords, keys or details of other
          people.
        </p>
      </Labelled>
      <ContactTrap />
      <div className="flex flex-wrap items-center gap-4">
        <button type="submit" className={buttonClass('primary')}>
          Send message
        </button>
        <p className="text-xs text-muted">
          We use this to answer you: <TextLink href={SITE_PATHS.privacyPolicy}>privacy policy</TextLink>.
        </p>
      </div>
    </form>
  )
}
