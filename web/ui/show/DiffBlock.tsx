import clsx from 'clsx'

export interface DiffBlockProps {
  /** Names the block for screen readers. */
  label: string
  lines: readonly { kind: 'same' | 'removed' | 'added'; text: string }[]
  className?: string
}

const SIGNS = { same: ' ', removed: '−', added: '+' }
const WORDS = { same: '', removed: 'removed: ', added: 'added: ' }

/** Shows the difference of two texts: each changed line has a sign, a colour and words for screen readers. */
export function DiffBlock({ label, lines, className }: DiffBlockProps) {
  return (
    <pre
      role="region"
      aria-label={label}
      tabIndex={0}
      className={clsx(
        'overflow-auto rounded-lg border border-line bg-sunken py-3 font-mono text-xs leading-5 -outline-offset-2',
        className,
      )}
    >
      {lines.map(({ kind, text }, index) => (
        <div
          // Lines have no identity except their position.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          className={clsx(
            'px-3 break-words whitespace-pre-wrap',
            kind === 'added' && 'bg-success-soft text-success',
            kind === 'removed' && 'bg-failure-soft text-failure',
          )}
        >
          <span aria-hidden className="mr-2 select-none">
            {SIGNS[kind]}
          </span>
          {kind !== 'same' && <span className="sr-only">{WORDS[kind]}</span>}
          {text}
        </div>
      ))}
    </pre>
  )
}
