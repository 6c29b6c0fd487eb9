import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { HELP_QUESTIONS } from './help-questions.ts'

/** A question with its answer, which has its own address. */
export function HelpAnswer({ id, children }: { id: keyof typeof HELP_QUESTIONS; children: ReactNode }) {
  return (
    <section id={id} className="scroll-mt-20 border-t border-line pt-6">
      <h2 className="text-lg font-semibold tracking-tight">{HELP_QUESTIONS[id]}</h2>
      <div className="mt-2 flex flex-col gap-3 text-base break-words text-ink [&_li]:mt-1 [&_ul]:list-disc [&_ul]:pl-5">
        {children}
      </div>
    </section>
  )
}

export function HelpLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="rounded-sm text-accent-strong underline">
      {children}
    </Link>
  )
}
