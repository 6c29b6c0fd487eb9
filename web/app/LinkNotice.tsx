import { useState } from 'react'
import { landing } from '../session/landed.ts'
import { isLandingSaid, markLandingSaid } from '../session/landing.ts'
import { Banner } from '../ui/show/Banner.tsx'
import { IconButton } from '../ui/action/IconButton.tsx'
import { X } from 'lucide-react'

/** Says why the mail's link did not work, or what is left to do. */
export function LinkNotice({ nextStep }: { nextStep?: string }) {
  const [shown, setShown] = useState(!isLandingSaid())
  const { error, message, flow, code } = landing
  if (!shown || (error === null && message === null)) return null
  const close = () => {
    markLandingSaid()
    setShown(false)
  }
  const isOfProvider = flow !== null || code !== null
  const failure = isOfProvider
    ? flow?.purpose === 'link'
      ? 'The account was not linked'
      : 'You are not signed in'
    : 'The link did not work'
  return (
    <Banner
      tone={error === null ? 'info' : 'failure'}
      urgent={error !== null}
      title={error === null ? 'One more step' : failure}
      action={<IconButton size="sm" label="Close the notice" icon={<X />} onClick={close} />}
    >
      <p>{error ?? message}</p>
      {error !== null && !isOfProvider && nextStep !== undefined && <p className="text-muted">{nextStep}</p>}
    </Banner>
  )
}
