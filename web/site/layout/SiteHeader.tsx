import { Menu } from 'lucide-react'
import { APP_PATHS, SITE_PATHS } from '#core/contract/paths.ts'
import { Logo } from '#web/app/Logo.tsx'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { HEADER_LINKS } from './site-links.ts'

/**
 * web/public/theme.js decides before the first paint which of the sign-in links is shown, together with
 * site.css.
 */
export function SiteHeader({ path }: { path: string }) {
  return (
    <header className="@container z-30 border-b border-line bg-canvas md:sticky md:top-0 print:static print:border-0">
      <div className="mx-auto flex min-h-14 max-w-[1120px] flex-wrap items-center gap-2 px-4 py-2 sm:px-6">
        <a href={SITE_PATHS.home} className="mr-4 rounded-md" aria-label="Leadwire, home">
          <Logo />
        </a>
        <nav aria-label="Site" className="hidden flex-1 items-center gap-1 @3xl:flex print:hidden">
          <HeaderLinks path={path} />
        </nav>
        <div className="flex flex-1 items-center justify-end gap-2 @3xl:flex-none print:hidden">
          <a
            href={APP_PATHS.auth}
            className={`when-signed-out ${buttonClass('quiet', 'sm')} @max-2xl:hidden`}
          >
            Sign in
          </a>
          <a href={APP_PATHS.secureSignup} className={`when-signed-out ${buttonClass('primary', 'sm')}`}>
            Create account
          </a>
          <a href={APP_PATHS.dashboard} className={`when-signed-in ${buttonClass('primary', 'sm')}`}>
            Go to dashboard
          </a>
          <details className="site-menu relative @3xl:hidden">
            <summary
              aria-label="Menu"
              className="flex size-9 items-center justify-center rounded-lg text-muted hover:bg-hover hover:text-ink"
            >
              <Menu aria-hidden className="size-5" />
            </summary>
            <nav
              aria-label="Menu"
              className="absolute top-11 right-0 flex w-60 flex-col rounded-lg bg-raised p-2 shadow-float"
            >
              <HeaderLinks path={path} />
              <a href={APP_PATHS.auth} className={`when-signed-out ${LINK}`}>
                Sign in
              </a>
            </nav>
          </details>
        </div>
      </div>
    </header>
  )
}

const LINK =
  'inline-flex h-9 items-center rounded-lg px-3 text-sm font-medium text-muted hover:bg-hover hover:text-ink @3xl:h-8 aria-[current]:text-ink aria-[current]:underline decoration-accent decoration-2 underline-offset-8'

function HeaderLinks({ path }: { path: string }) {
  return HEADER_LINKS.map((link) => (
    <a
      key={link.path}
      href={link.path}
      className={LINK}
      {...(path === link.path || path.startsWith(`${link.path}/`)
        ? { 'aria-current': path === link.path ? 'page' : 'true' }
        : {})}
    >
      {link.label}
    </a>
  ))
}
