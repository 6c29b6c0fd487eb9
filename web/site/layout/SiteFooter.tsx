import { Logo } from '#web/app/Logo.tsx'
import { FOOTER_LINKS } from './site-links.ts'

export function SiteFooter() {
  return (
    <footer className="mt-24 border-t border-line bg-sunken print:hidden">
      <div className="mx-auto flex max-w-[1120px] flex-wrap gap-x-16 gap-y-10 px-4 py-12 sm:px-6">
        <div className="w-full max-w-64 lg:flex-1">
          <Logo />
          <p className="mt-3 text-sm text-muted">
            Leads in your CRM the moment they are yours, and every attempt in plain sight.
          </p>
        </div>
        {FOOTER_LINKS.map(({ title, links }) => (
          <nav key={title} aria-label={title} className="min-w-32">
            <h2 className="text-sm font-semibold">{title}</h2>
            <ul className="mt-2">
              {links.map((link) => (
                <li key={link.path}>
                  <a
                    href={link.path}
                    className="inline-flex min-h-8 min-w-6 items-center rounded-sm text-sm text-muted hover:text-ink hover:underline"
                  >
                    {link.label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
    </footer>
  )
}
