import clsx from 'clsx'
import type { ReactNode } from 'react'

export interface SectionProps {
  id?: string
  title: string
  /** One or two sentences below the title. */
  lead?: ReactNode
  className?: string
  children: ReactNode
}

/** A section of a page with its heading, as wide as the page allows. */
export function Section({ id, title, lead, className, children }: SectionProps) {
  return (
    <section id={id} className={clsx('mx-auto max-w-[1120px] px-4 pt-20 sm:px-6 sm:pt-24', className)}>
      <h2 className="max-w-[24ch] text-xl font-semibold tracking-tight text-balance">{title}</h2>
      {lead !== undefined && <p className="mt-3 max-w-[64ch] text-base text-pretty text-muted">{lead}</p>}
      <div className="mt-8">{children}</div>
    </section>
  )
}
