import clsx from 'clsx'
import { CopyButton } from '../action/CopyButton.tsx'

export interface CodeBlockProps {
  code: string
  /** Names the block: "Request body", "cURL". */
  label: string
  /** Shows the label above the code. */
  headed?: boolean
  wrap?: boolean
  className?: string
}

export function CodeBlock({ code, label, headed = false, wrap = true, className }: CodeBlockProps) {
  return (
    <div className={clsx('relative min-w-0 rounded-lg border border-line bg-sunken', className)}>
      {headed && (
        <p className="border-b border-line py-1.5 pr-10 pl-3 text-xs font-medium text-muted">{label}</p>
      )}
      <CopyButton
        value={code}
        label={`Copy ${label.toLowerCase()}`}
        className="absolute top-0.5 right-0.5 bg-sunken"
      />
      <pre
        role="region"
        aria-label={label}
        tabIndex={0}
        className={clsx(
          'max-h-80 overflow-auto p-3 pr-10 font-mono text-xs leading-5 -outline-offset-2',
          wrap && 'break-words whitespace-pre-wrap',
        )}
      >
        {code}
      </pre>
    </div>
  )
}
