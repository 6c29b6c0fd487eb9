import { useEffect, useRef, useState, type ReactNode } from 'react'
import { reportFailure } from '../report-failure.ts'
import { CopyButton } from '#web/ui/action/CopyButton.tsx'

export interface ErrorScreenProps {
  level: 'application' | 'section'
  error: unknown
  title: string
  text: string
  actions: ReactNode
}

export function ErrorScreen({ level, error, title, text, actions }: ErrorScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [errorId] = useState(() => reportFailure(level, error))
  useEffect(() => heading.current?.focus(), [])

  return (
    <div role="alert" className="mx-auto flex max-w-lg flex-col gap-4 px-4 py-16">
      <h1 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
        {title}
      </h1>
      <p className="text-base text-muted">{text}</p>
      <div className="flex flex-wrap gap-2">{actions}</div>
      <p className="flex items-center gap-1 border-t border-line pt-3 text-xs text-faint">
        Error id <code className="font-mono">{errorId}</code>
        <CopyButton value={errorId} label="Copy error id" />
      </p>
    </div>
  )
}
