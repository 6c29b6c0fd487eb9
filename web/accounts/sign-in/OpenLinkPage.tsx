import { useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { AuthFrame } from '#web/app/AuthFrame.tsx'
import { PATHS } from '#web/paths.ts'
import { AUTH_URL } from '#web/session/auth-url.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'

/** Texts by the type of the link (docs/contract.md §3). */
const WORDS: Readonly<Record<string, { title: string; button: string }>> = {
  signup: { title: 'Confirm your email address', button: 'Confirm email address' },
  invite: { title: 'Accept your invitation', button: 'Accept invitation' },
  magiclink: { title: 'Sign in to your leads', button: 'Sign in' },
  recovery: { title: 'Reset your password', button: 'Choose a new password' },
  email_change: { title: 'Confirm your new email address', button: 'Confirm email address' },
}

/**
 * The page that a mail's link opens. Only its button uses the link up, so that a program that scans links
 * before the reader opens them does not.
 */
export function OpenLinkPage() {
  const [search] = useSearchParams()
  const [isOpening, setOpening] = useState(false)
  const type = search.get('type') ?? ''
  const words = Object.hasOwn(WORDS, type) ? WORDS[type] : undefined
  if (words === undefined || (search.get('token') ?? '') === '')
    return (
      <AuthFrame title="This link is not complete">
        <Banner tone="failure" urgent>
          Open the whole link from the email again, or ask for a new one.
        </Banner>
        <Link to={PATHS.auth} className={buttonClass('primary')}>
          Go to sign-in
        </Link>
      </AuthFrame>
    )
  return (
    <AuthFrame title={words.title} lead="The link works once. It is used when you press the button.">
      <Button
        variant="primary"
        busy={isOpening}
        asks
        onClick={() => {
          setOpening(true)
          // `replace` keeps the token out of the history.
          location.replace(`${AUTH_URL}/verify?${search}`)
        }}
      >
        {words.button}
      </Button>
    </AuthFrame>
  )
}
