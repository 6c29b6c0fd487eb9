import { Link, useLocation } from 'react-router-dom'
import { Logo } from '../Logo.tsx'
import { PATHS } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'

export function NotFound() {
  const { pathname } = useLocation()
  return (
    <main className="mx-auto flex min-h-dvh max-w-lg flex-col justify-center gap-4 px-4 py-16">
      <title>Page not found · Leadwire</title>
      <Logo />
      <h1 className="mt-4 text-xl font-semibold tracking-tight">Page not found</h1>
      <p className="text-base break-words text-muted">
        Nothing is at <code className="font-mono text-sm text-ink">{pathname}</code>. The address may be
        mistyped, or the page may have moved.
      </p>
      <p>
        <Link to={PATHS.home} className={buttonClass('primary')}>
          Go to the start
        </Link>
      </p>
    </main>
  )
}
