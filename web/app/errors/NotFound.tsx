import { Link, useLocation } from 'react-router-dom'
import { Logo } from '../Logo.tsx'
import { HOME_AFTER_SIGN_IN, PATHS } from '#web/paths.ts'
import { useIsIn } from '#web/session/use-is-in.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'

export function NotFound() {
  const isIn = useIsIn() === true
  const page = <Missing isIn={isIn} />
  if (isIn) return <div className="mx-auto flex max-w-lg flex-col gap-4 py-16">{page}</div>
  return (
    <main className="mx-auto flex min-h-dvh max-w-lg flex-col justify-center gap-4 px-4 py-16">
      <Logo />
      {page}
    </main>
  )
}

function Missing({ isIn }: { isIn: boolean }) {
  const { pathname } = useLocation()
  return (
    <>
      <title>Page not found · Leadwire</title>
      <h1 className="mt-4 text-xl font-semibold tracking-tight">Page not found</h1>
      <p className="text-base break-words text-muted">
        There is no page at <code className="font-mono text-sm text-ink">{pathname}</code>. The address may be
        mistyped, or the page may have moved.
      </p>
      <p>
        <Link to={isIn ? HOME_AFTER_SIGN_IN : PATHS.home} className={buttonClass('primary')}>
          {isIn ? 'Go to your dashboard' : 'Go to homepage'}
        </Link>
      </p>
    </>
  )
}
