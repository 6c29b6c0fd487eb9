import type { ReactNode } from 'react'
import { SITE_PATHS } from '#core/contract/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'

/**
 * The page after a form was sent. Its reference is in the address, and the browser writes it in
 * (web/site/client/islands/contact.ts).
 */
export function SentPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-start gap-4 px-4 py-24 sm:py-32">
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      <p className="text-base text-pretty text-muted">
        {children}
        <span id="contact-reference" hidden>
          {' '}
          Your reference is <strong className="font-medium text-ink tabular" />.
        </span>
      </p>
      <a href={SITE_PATHS.home} className={buttonClass('secondary')}>
        Go to homepage
      </a>
    </div>
  )
}
