import type { ReactNode } from 'react'

export interface TextPageProps {
  title: string
  lead?: ReactNode
  children: ReactNode
}

/** A page of text in one column of a readable width. */
export function TextPage({ title, lead, children }: TextPageProps) {
  return (
    <div className="mx-auto max-w-[1120px] px-4 pt-14 sm:px-6 sm:pt-20">
      <div className="max-w-[68ch]">
        <h1 className="text-xl font-semibold tracking-tight text-balance">{title}</h1>
        {lead !== undefined && <p className="mt-3 text-lg text-pretty text-muted">{lead}</p>}
        <div className="prose mt-8">{children}</div>
      </div>
    </div>
  )
}
