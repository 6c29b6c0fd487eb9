/** The logo: three stations on one wire. */
export function Logo({ wordless = false }: { wordless?: boolean }) {
  return (
    <span className="inline-flex items-center gap-2.5 font-semibold tracking-tight text-ink">
      <svg viewBox="0 0 28 12" className="w-7 shrink-0 text-accent" aria-hidden>
        <path d="M3 6h19" stroke="currentColor" strokeWidth="1.5" />
        <circle cx="3.5" cy="6" r="3" fill="currentColor" />
        <circle cx="14" cy="6" r="3" fill="currentColor" />
        <circle cx="24" cy="6" r="2.75" fill="none" stroke="currentColor" strokeWidth="1.5" />
      </svg>
      <span className={wordless ? 'sr-only' : 'text-base'}>Leadwire</span>
    </span>
  )
}
